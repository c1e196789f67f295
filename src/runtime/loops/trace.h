// What a thread has done since its last *effect*: something that others may see, so that it cannot be left out of an execution.
//
// An effect is an atomic write (but for those that change nothing: an RMW that writes back what it read, a store that repeats the thread's own,
// repeated_stores.h), an allocation, being woken by a condition, input and output. A mutex that is locked and unlocked again is none: only
// `holds` must be the same. Plain writes outside the own stack are kept with what they overwrote: what holds its old value again was not
// changed. They are an effect once another thread may see them: at an unlock, or an RMW.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/thread.h"

namespace ordeal::runtime {

/// Begins a new trace.
void forget(LoopTrace& trace);

/// The thread is about to write, outside its own stack.
void note_plain_write(Thread& thread, std::uintptr_t address, std::size_t size);
/// Its last write is done: looks at what it did. To be called at each entry that may let other threads run.
void look_at_plain_write(Thread& thread);
inline void settle_plain_write(Thread& thread) {
  if (thread.spin.last_write.size != 0) look_at_plain_write(thread);
}
/// Others may see from here on what the thread has written.
inline void note_release(Thread& thread) {
  if (!thread.spin.writes.empty()) ++thread.spin.effects;
}

/// The thread locked `object` (1), or let go of it (-1); or it waits there.
inline void note_hold(Thread& thread, const void* object, int by) {
  if (by < 0) note_release(thread);
  thread.spin.holds += static_cast<std::uint64_t>(by) * (reinterpret_cast<std::uintptr_t>(object) * 0x9E3779B97F4A7C15);
}
/// The thread stored what it had stored there before. Like every write it shows what was written before.
inline void note_repetition(Thread& thread) {
  ++thread.spin.repetitions;
  note_release(thread);
}
/// The thread did something that matters.
inline void note_effect(Thread& thread) { ++thread.spin.effects; }
/// … its last event, a write.
inline void note_written(Thread& thread) {
  ++thread.spin.effects;
  thread.effects.push_back(thread.hb[thread.id]);
}
/// How many effects of `thread` are among its first `events` events.
inline std::uint32_t effects_within(const Thread& thread, base::ClockEntry events) {
  return static_cast<std::uint32_t>(std::upper_bound(thread.effects.begin(), thread.effects.end(), events) - thread.effects.begin());
}

}  // namespace ordeal::runtime
