// EXPECT: verified 28..
// EXPECT (O2): verified 28..78
// CDSSpec's driver: the lock protects nothing, and a thread leaves the queue with release only.
//
// 28 classes at best, by brute force (README.md). If the compare-exchange in unlock() fails, there is a next node, and the load before it
// might have read what the loop after it reads: no class of its own. 78 with these ("mcs-lock-spec, failures"). How many of them are
// recognised depends on the compiler: registers that are used no more may differ. As in mcs-lock.
#include "mcs_twice.h"

int main() {
  auto nothing = [] {};
  lock_twice_in_two_threads<McsMutex<std::memory_order_release>>(nothing, nothing);
}
