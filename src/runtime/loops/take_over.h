// When one operation of a thread may take the place of a later one (rule B).
#pragma once

#include "runtime/thread.h"

namespace ordeal::runtime {

/// What the operation gives if it reads this value.
inline Outcome outcome_with(const Call& call, std::uint64_t value) { return {value, call.kind != Call::Kind::kCompareExchange || value == call.expected}; }

/// Whether it may be tried out where the operation of that step would lead.
bool may_be_asked(const Thread& thread, const Step& from);

/// Whether `r` may take the place of `c`, which gave `outcome`: because it is the same operation (rule A: what differs between their configurations turns out to be dead),
/// or because both only read (rule B).
bool may_take_place(const Step& r, const Step& c, const Outcome& outcome);

}  // namespace ordeal::runtime
