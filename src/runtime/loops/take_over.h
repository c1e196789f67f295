// When one operation of a thread may take the place of a later one (rule B).
#pragma once

#include <cstdint>
#include <span>

#include "runtime/thread.h"

namespace ordeal::runtime {

/// What the operation gives if it reads this value.
inline Outcome outcome_with(const Call& call, std::uint64_t value) { return {value, call.kind != Call::Kind::kCompareExchange || value == call.expected}; }

/// Whether it may be tried out where the operation of that step would lead.
bool may_be_asked(const Thread& thread, const Step& from);

/// Why `r` could not read what `c` did, which only reads, as far as orders are concerned: something would be ordered that was not. Where a compare-exchange that
/// fails is a barrier, none takes over from a load.
enum class OrderRefuses : std::uint8_t { kNothing, kAcquire, kSeqCst, kBarrier };
OrderRefuses why_refused(const Call& r, const Call& c);

/// Whether `r` may take the place of `c`, which gave `outcome`: because it is the same operation (rule A: what differs between their configurations turns out to be dead),
/// or because both only read (rule B).
/// `gives_back`: the effects between them are given back (given_back.h).
bool may_take_place(const Step& r, const Step& c, const Outcome& outcome, bool gives_back = false);

/// Whether all that the thread has done since `first` is to read, and to write to its stack.
bool has_only_read(const LoopTrace& trace, const Step& first, const Step& now);
/// Whether all steps since its last effect are there.
inline bool are_all_kept(const LoopTrace& trace) { return trace.skipped == 0 && trace.distance == 1; }
/// Tries out where the operation would lead with that outcome, and those of `then` after it (Speculation::run). True: that is known, and its code accesses the stack alone.
bool leads_somewhere(const Thread& thread, const Step& from, const Outcome& outcome, std::span<const Step> then = {});

}  // namespace ordeal::runtime
