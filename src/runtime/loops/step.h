// The trace of a thread since it last did something that matters to others, and a few operations more: each with the configuration that the
// thread was in when it asked for it. See README.md here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/vector_clock.h"
#include "runtime/digest.h"
#include "runtime/loops/call.h"
#include "runtime/loops/stack_copy.h"

namespace ordeal::runtime {

/// A few bytes of the program's memory, and what they held at some time.
struct MemoryPiece {
  static constexpr std::size_t kMostBytes = 16;
  std::uintptr_t address = 0;
  std::size_t size = 0;
  unsigned char bytes[kMostBytes] = {};

  static MemoryPiece of(std::uintptr_t address, std::size_t size) {
    MemoryPiece piece{address, size};
    std::memcpy(piece.bytes, reinterpret_cast<const void*>(address), size);
    return piece;
  }
  void put() const { std::memcpy(reinterpret_cast<void*>(address), bytes, size); }
  bool has(std::uintptr_t byte) const { return byte - address < size; }
  unsigned char byte(std::uintptr_t at) const { return bytes[at - address]; }
};

/// An operation of the thread, and the configuration in which it asked for it.
struct Step {
  std::uint64_t stamp = 0;  // steps with the same one are the same: milestones copy the others only
  Call call;
  std::uint64_t registers[7] = {};      // as in entry.h
  mutable StackCopy stack;              // from the caller's stack pointer upwards; atomic objects in it are cleared, and what is dead if anybody asked
  mutable bool is_dead_cleared = false;
  static constexpr int kMostCallers = 6;
  int callers_count = 0;
  std::uintptr_t callers[kMostCallers] = {};  // where the innermost functions return to
  std::uint64_t effects = 0;            // of TracePosition, before it
  std::uint64_t shared_accesses = 0;    // of ThreadPosition, before it
  std::uint32_t alive = 0;              // earlier steps that may still turn out to lead to the same (rules.cpp): bit 0 is the last one
  std::size_t writes = 0;               // how many of LoopTrace::writes came before it
  std::uint64_t holds = 0, looks = 0, locks = 0, tries = 0;
  std::int64_t time = 0;
  std::uint64_t operation = 0;          // so many operations the thread has made before it
  base::ClockEntry first_event = 0;     // the thread's events before it
  std::uint64_t repetitions = 0;        // of TracePosition, before it
  int turns_made = 0;                   // so many times the thread came back to it, and was let go round (vain_turns.h)

  bool has_outcome = false;
  Outcome outcome;
  std::int64_t source = -1;             // names the write that it read
  base::ClockEntry events = 0;          // of the thread, with its own
  std::vector<std::uint32_t> causes;    // how many effects of each thread it comes from, if anybody asks (vain_turns.h)
  bool failed_spuriously = false;
  bool could_have_failed = false;       // without reason, but did not

  // For waiting_places.h.
  bool has_digest = false;
  Digest digest;         // digest_of (configuration.h)
  bool has_state = false;
  Digest state;          // of all this
  int looks_before = 0;  // how many of TracePosition::looked_at came before it
};

/// To be called for a step that a milestone may have, before it is changed. (What can be computed again from the rest may be added without.)
inline Step& changed(Step& step) {
  static std::uint64_t last = 0;
  step.stamp = ++last;
  return step;
}

/// Memory that the thread looks at when it waits (waiting_places.h): others must not write it before it has gone on.
struct ReliedOn {
  Range range;
  base::ClockEntry clock = 0;  // the thread's events before
};

/// An atomic write that is an effect.
struct AtomicChange {
  std::uint64_t effect = 0;  // its number
  std::uintptr_t address = 0;
  std::uint32_t size = 0;
  std::uint64_t before = 0;  // what the object held
};
/// The last fetch_add, and those before it, each of which takes back what the one before has added, without another effect between (given_back.h).
struct LastAdd {
  std::uintptr_t address = 0;
  std::uint64_t amount = 0;
  std::uint64_t effects = 0;  // with it
  int length = 0;
};
/// A fetch_add on a watched object (given_back.h), which is an effect.
struct Half {
  std::uint64_t effect = 0;  // its number
  std::uintptr_t address = 0;
  std::uint64_t amount = 0;
  std::int64_t event = 0, source = 0;  // names of its write, and of the write that it read
};

/// What of a trace is of fixed size.
struct TracePosition {
  std::uint64_t effects = 0;
  std::uint64_t locks = 0;  // so many times it has locked something
  std::uint64_t tries = 0;  // so many times it has tried to, but for turns in vain
  std::uint64_t holds = 0;  // a sum over the mutexes that it holds and the conditions at which it waits
  std::uint64_t looks = 0;  // at a clock
  std::uint64_t repetitions = 0;  // stores that store the same again (repeated_stores.h)
  std::uint64_t effects_at_jump = ~std::uint64_t{0};  // when time was last let jump
  MemoryPiece last_write;         // not yet known what it does; size 0: none
  int count = 0;                  // of steps in use
  int place_count = 0;
  std::uint64_t steps_effects = 0;  // when it was last looked at
  bool has_new_writes = false;      // plain ones, since the last effect
  std::size_t old_writes = 0;       // so many of LoopTrace::writes came before that
  std::uint32_t skipped = 0, distance = 1;  // steps are no longer kept, but for every `distance`-th
  int now = -1;                   // the step of the operation under way; -1: none
  base::ClockEntry first_event = 0;  // where the round begins for which the thread was stopped
  LastAdd last_add;
  std::uintptr_t untested = 0;       // a watched object that it has just read …
  std::uintptr_t untested_add = 0;   // … with a fetch_add, from here in the code; 0: with another operation
  std::uintptr_t stopped_at = 0;     // for turns that give back what they took from this object …
  base::ClockEntry stopped_for = 0;  // … of which this is the first event
  // For waiting_places.h. `place`: of the operation under way, if values are known to be useless there; -1: none.
  static constexpr int kMostLooks = 24;
  int place = -1;
  bool collects = false;  // the thread has come to a place where threads wait: what it looks at is collected
  int looked_at_count = 0;
  int relied_on_count = 0;
  static constexpr std::uint64_t kMostChanges = 8;
  std::uint64_t last_change = 0;  // of `changes`
};

struct LoopTrace : TracePosition {
  static constexpr int kMostPlaces = 16;
  AtomicChange changes[kMostChanges];  // the last effects, by their number, as far as they are atomic writes (own_flags.h)
  std::uintptr_t places[kMostPlaces];  // behind calls: from where code has run since the last effect; `place_count` are in use
  std::vector<MemoryPiece> writes;  // since the first step: plain writes that changed something outside the stack, with what they overwrote
  Range looked_at[kMostLooks];      // `looked_at_count` are in use; if that is more, there were too many
  ReliedOn relied_on[kMostLooks];   // `relied_on_count` are in use
  std::vector<Half> halves;         // the last ones
  std::vector<Step> steps;          // `count` are in use, and the last moves on in the end
};

}  // namespace ordeal::runtime
