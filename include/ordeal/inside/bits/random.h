// Before libstdc++'s <bits/random.h>: std::random_device asks the processor, inside libstdc++.so, where nobody can answer in its place. Its numbers
// come from the runtime instead, the same in each execution.
#ifndef ORDEAL_INSIDE_BITS_RANDOM_H
#define ORDEAL_INSIDE_BITS_RANDOM_H

#pragma GCC system_header

#define _M_getval _M_getval_of_ordeal
#include_next <bits/random.h>
#undef _M_getval

#endif
