// EXPECT: verified 2..6
// EXPECT (O1): verified 2
// EXPECT (O2): verified 2
// EXPECT (O3): verified 2
// CDSSpec's first test: one writer, one reader.
//
// 6 classes by brute force (README.md). 2 without turns that give back what they took (rule Z, ADR 34): one comes first, or the other. Without optimisation not all of
// these are recognised.
#include "linuxrwlocks.h"

LinuxRwLock lock;

int main() {
  std::thread writer([] {
    lock.write_lock();
    lock.write_unlock();
  });
  std::thread reader([] {
    lock.read_lock();
    lock.read_unlock();
  });
  writer.join();
  reader.join();
}
