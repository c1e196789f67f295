// EXPECT: verified 6..
// CDSSpec's first test: one writer, one reader.
//
// 6 classes by brute force (README.md); without optimisation waiting turns that are not recognised add some.
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
