// Operations that wait: locks, and loads that wait for a value. When may they go on, and behind what?
//
// A mutex is a location, 0 free, 1 held; lock, unlock and a try that succeeds are RMWs, so its states form one chain. What is said of
// locks here holds for every operation that waits until it can take an object (kApplicable): read-write locks, whose free states are not
// the same for readers and writers, and semaphores; unlocks by readers and posts are RMWs like any other.
//   - A lock reads a free state only. It is added while one is untaken; but it may then take any, also one that another
//     lock or try L has taken. As with every RMW that graph is inconsistent, but the write's revisits are made, and that of
//     a lock L is a *displacement*: L did not come first, so it has not happened. What stays is an *attempt*, an event
//     without effect that L's thread came there, behind the write that displaced it; the thread tries again.
//   - An unlock reads what its own thread wrote: no choice, and no write revisits it.
//   - A try is an ordinary RMW: any write may revisit it. One that reads a held state fails and is a plain read.
//   - Nothing can go on: a deadlock, or just this order. Each thread that waits at a lock then also tries the states that
//     are taken: it may have come first.
// An attempt is no access. (As a relaxed read of the state that was held, which looks right, it forbids executions: with
// y=1; fence; lock ∥ lock; unlock; fence; r=y, seq_cst fences, r=0 would need the attempt before the unlock.)
//
// A load or RMW that waits for a value (kEqual, kNotEqual, kUseful) is added when something fits and only such operations are
// left to go on with. It reads any write that fits, or still waits (an attempt). The latter is its canonical choice: always
// possible, whatever comes later. A fitting source is not: in
//   x=1; fence; await y==0   ∥   y=1; fence; r=x; y=0       (seq_cst fences)
// the first 0 fits until r reads 0, and then the last one must be found. If it waits to the end, that is a blocked execution
// iff there is a modification order in which the last value of its location does not fit: a thread that came late could
// not go on (await y==0 ∥ y=1: it read 0, or it waits for ever). Otherwise the search is given up there: the price. It need not
// be paid where nobody else could go on instead (locks could, by displacement): what comes later is then behind this operation
// and revisits neither it nor anything before it that would delete it.
// An RMW that waits has no displacements: it may have waited instead. So what one has taken is not offered to another (that
// would write; a compare-exchange that fails may read it).
//
// A thread that waits to be woken (kWoken) has set a bit that others clear: it goes on behind the RMW that cleared it. One at a barrier
// (kReached) goes on behind the RMW of the last who arrives.
// There is one such write at most, and what comes later does not change that: no choice, no revisit.
#pragma once

#include <span>

#include "engine/operation.h"
#include "model/consistency.h"

namespace ordeal::explore {

/// The write that the unlock by `access` reads: its thread's last one there. kNone: it has none, and holds nothing.
model::Slot held_state(const model::ExecutionGraph& graph, const model::Access& access);

/// The RMW that woke the thread of `access`, which waits to be woken. kNone: none yet.
model::Slot waker(const model::ExecutionGraph& graph, const model::Access& access);

/// Whether some free state is untaken.
bool can_lock(model::Consistency& consistency, const model::ExecutionGraph& graph, const model::Access& access);

/// Whether the access, which waits, may read `source`.
bool may_go_on_from(const model::Consistency& consistency, const model::ExecutionGraph& graph, const model::Access& access, model::Slot source);

/// Whether there is something that the access, which waits for a value, may read.
bool has_something_to_read(model::Consistency& consistency, const model::ExecutionGraph& graph, const model::Access& access);

/// Nothing else can go on: whether the threads at these locks and awaits may wait for ever. The graph is the same afterwards.
bool may_wait_for_ever(model::Consistency& consistency, model::ExecutionGraph& graph, std::span<const engine::Operation> waiting);

/// Whether the thread's last event is an attempt of this load: it waits for a write that revisits it.
inline bool is_still_waiting(const model::ExecutionGraph& graph, model::ThreadId thread) {
  const model::Slot last = graph.last_of(thread);
  return last != model::kNone && graph.event(last).kind == model::EventKind::kAttempt && graph.event(last).rf == model::kNone;
}

/// Whether the write may revisit the read as far as what they are goes: a lock is revisited only by an RMW that takes the
/// same state.
inline bool may_revisit(const model::Event& write, const model::Event& read) {
  if (is_ordinary(read.access)) return true;
  return read.access.await == model::Await::kApplicable && write.is_rmw && write.rf == read.rf;
}

}  // namespace ordeal::explore
