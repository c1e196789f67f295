// What a thread has done since its last *effect*: something that others may see, so that it cannot be left out of an execution.
//
// An effect is an atomic write (but for those that change nothing: an RMW that writes back what it read, a store that repeats the thread's own,
// repeated_stores.h; one to an object of its own, own_flags.h), an allocation, being woken by a condition, input and output. A mutex that is locked and unlocked again is none: only
// `holds` must be the same. Plain writes outside the own stack are kept with what they overwrote: what holds its old value again was not
// changed. They are an effect once another thread may see them: at an unlock, or an RMW.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/loops/code_paths.h"
#include "runtime/thread.h"

namespace ordeal::runtime {

/// The thread has had an effect: what it did before is remembered for a while, but no part of a turn any more.
void forget(LoopTrace& trace);
void forget_all(LoopTrace& trace);
/// Of the first `count` steps those that came before the last effect are forgotten.
void forget_steps_before(LoopTrace& trace, int count);

/// The thread is about to write, outside its own stack.
void note_plain_write(Thread& thread, std::uintptr_t address, std::size_t size);
/// Its last write is done: looks at what it did. To be called at each entry that may let other threads run.
void look_at_plain_write(Thread& thread);
inline void settle_plain_write(Thread& thread) {
  if (thread.spin.last_write.size != 0) look_at_plain_write(thread);
}
/// The thread did something that matters. What and where is said of turns that are kept for it (kept_turns.h).
inline void note_effect(Thread& thread, trace::KeptBy what = trace::KeptBy::kSystem, std::uintptr_t site = 0) {
  ++thread.spin.effects;
  remember_effect(thread, what, site);
}
/// Others may see from here on what the thread has written.
inline void note_release(Thread& thread, std::uintptr_t site) {
  if (thread.spin.has_new_writes && thread.spin.steps_effects == thread.spin.effects) note_effect(thread, trace::KeptBy::kWritesShown, site);
}

/// The thread locked `object` (1), or let go of it (-1); or it waits there.
inline void note_hold(Thread& thread, const void* object, int by, std::uintptr_t site = 0) {
  if (by < 0) note_release(thread, site);
  thread.spin.holds += static_cast<std::uint64_t>(by) * (reinterpret_cast<std::uintptr_t>(object) * 0x9E3779B97F4A7C15);
}
/// The thread stored what it had stored there before. Like every write it shows what was written before.
inline void note_repetition(Thread& thread) {
  ++thread.spin.repetitions;
  note_release(thread, thread.site);
}
/// The thread's code goes on from there, behind a call. (Places that are known to lead to nothing hidden are not kept: code_paths.h.)
void note_unknown_place(Thread& thread, std::uintptr_t place);
inline void note_place(Thread& thread, std::uintptr_t place) {
  if (!CodePaths::are_known_to_be_plain(place)) note_unknown_place(thread, place);
}
/// Whether code may have run since the last effect that was not instrumented, and writes. A call by pointer was made only if what may come after it was; then it was one of instrumented code if its function has returned
/// (then the place after it is one of those that the thread has come by), or is active.
/// Not seen: a call whose function returns before the thread's next operation, or one that was made twice (ADR 31).
bool has_hidden_code(const Thread& thread);
/// Whether it is known that there is such code: it is not just that nobody knows where a call by pointer has led.
bool is_known_to_have_hidden_code(const Thread& thread);
/// The thread's last event is a write that matters.
inline void note_written(Thread& thread, trace::KeptBy what) {
  note_effect(thread, what, thread.site);
  thread.effects.push_back(thread.hb[thread.id]);
}
/// How many effects of `thread` are among its first `events` events.
inline std::uint32_t effects_within(const Thread& thread, base::ClockEntry events) {
  return static_cast<std::uint32_t>(std::upper_bound(thread.effects.begin(), thread.effects.end(), events) - thread.effects.begin());
}

}  // namespace ordeal::runtime
