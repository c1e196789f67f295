// EXPECT: verified 14..222
// EXPECT (O1): verified 14
// EXPECT (O2): verified 14
// EXPECT (O3): verified 14
// Two threads read once and write once; a data race if a writer could meet anybody.
//
// 222 classes by brute force (README.md). 14 without turns that give back what they took (rule Z, ADR 34), by the reference of the design, and by hand: tests/native/loop_rwlock_ok.cpp. Without
// optimisation clang's code has 222. CDSChecker: 1,366 feasible executions.
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
