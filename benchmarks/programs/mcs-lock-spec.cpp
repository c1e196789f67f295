// EXPECT: verified 78..
// EXPECT (O2): verified 78
// CDSSpec's driver: the lock protects nothing, and a thread leaves the queue with release only.
//
// 78 classes at best, by brute force (README.md), as in mcs-lock.
#include "mcs_twice.h"

int main() {
  auto nothing = [] {};
  lock_twice_in_two_threads<McsMutex<std::memory_order_release>>(nothing, nothing);
}
