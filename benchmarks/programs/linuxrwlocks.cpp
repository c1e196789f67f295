// EXPECT: verified 222..
// Two threads read once and write once; a data race if a writer could meet anybody.
//
// 222 classes by brute force (README.md); without optimisation waiting turns that are not recognised add some. CDSChecker:
// 1,366 feasible executions.
#include "linuxrwlocks.h"

#include <cassert>

LinuxRwLock lock;
int shared;

void read_then_write() {
  lock.read_lock();
  assert(shared == 0 || shared == 1);
  lock.read_unlock();

  lock.write_lock();
  shared = 1;
  lock.write_unlock();
}

int main() {
  std::thread first(read_then_write), second(read_then_write);
  first.join();
  second.join();
}
