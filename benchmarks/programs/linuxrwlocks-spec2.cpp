// EXPECT: verified 26
// BLOCKED: 0
// CDSSpec's second test: nobody waits.
//
// 26 classes by brute force (README.md).
#include "linuxrwlocks.h"

LinuxRwLock lock;

int main() {
  std::thread first([] {
    if (lock.write_can_lock() && lock.write_trylock()) lock.write_unlock();
  });
  std::thread second([] {
    if (lock.write_trylock()) lock.write_unlock();
    if (lock.read_can_lock() && lock.read_trylock()) lock.read_unlock();
  });
  first.join();
  second.join();
}
