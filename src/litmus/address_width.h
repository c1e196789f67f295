// Makes room for addresses in integers.
//
// herd's registers have no width: a test may load an address into `int r0` and compare it with `x` in its condition, or
// keep one in a location that a parameter calls `atomic_int*`. In the tree, a variable of 32 bits would cut it off. So
// every integer variable or location that may be given an address becomes 64 bits wide.
//
// Example: { p = &x; }  P0 (atomic_int* p) { int r0 = atomic_load(p); }  exists (0:r0=x)     widens p and r0.
//
// The values that may flow from one to another are followed through assignments, stores, read-modify-writes and
// compare-exchanges, in any order of execution. A pointer that is not plainly a parameter may point to any location.
// Cost: O(size of the test).
#pragma once

#include "litmus/ast.h"

namespace ordeal::litmus {

void widen_for_addresses(Test& test);

}  // namespace ordeal::litmus
