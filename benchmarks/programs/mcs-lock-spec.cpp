// EXPECT: verified 28..78
// EXPECT (clang O2): verified 28
// CDSSpec's driver: the lock protects nothing, and a thread leaves the queue with release only.
//
// 28 classes at best, by brute force (README.md), as in mcs-lock.
#include "mcs_twice.h"

int main() {
  auto nothing = [] {};
  lock_twice_in_two_threads<McsMutex<std::memory_order_release>>(nothing, nothing);
}
