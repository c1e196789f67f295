// Waiting loops (memory-model.md, section 6): a thread that comes back to the same place in the same state, without having
// changed anything, can only be helped by another thread. It is stopped there for the rest of the execution.
//
// The state is the callee-saved registers that are still read (liveness.h) and the stack from the caller's stack pointer upwards,
// byte for byte except for atomic objects; "nothing
// changed" is a count of *effects*: atomic writes (but for those that change nothing, see also repeated_stores.h), allocations, being woken by a condition. Plain writes outside the own
// stack are kept with what they overwrote: what holds its old value again was not changed (`node->next = head` before
// a compare-exchange that fails). They are an effect once another thread may see them: at an unlock, or an RMW. A
// few earlier states, *visits*, are kept for each thread and compared at each operation that reads or locks; the last of
// them is moved on after 1, 2, 4 … operations (Brent's cycle detection), so a loop with many reads is found too.
//
// The state includes stack slots that are dead, so the first round may differ from the next without meaning.
// Then the question is where the two states lead to, with what the load has read now: if that is the same state outside the
// loop (speculation.h), the round may be left out, and this execution with it.
//
// What is undone in the same round is no effect: a mutex that is locked and unlocked again, as in std::lock when it backs
// off, or in a loop that polls under a lock, or a wait that times out. Only `holds` must be the same. Such a round can be
// left out of an execution. (What it did to others is not lost: a try_lock that failed because of it may also fail
// spuriously.)
//
// Time goes on in each round of a loop with a time-out. States are compared up to that shift, and time may jump ahead
// before the thread is stopped: so a loop until some deadline ends too.
//
// The registers are saved by the entry points' assembler stubs (entry.h): in C++ they may have been used already.
#pragma once

#include <cstdint>

#include "runtime/digest.h"
#include "runtime/entry.h"
#include "runtime/thread.h"

namespace ordeal::runtime {

/// Whether turns of loops that are shown to be redundant are left out. Otherwise each is a turn like any other.
inline bool reduces_loops = true;

/// To be called first by an entry point that reads or locks `object`. Stops the thread if it only waits.
void check_for_waiting_loop(Thread& thread, std::uintptr_t site, const volatile void* object, std::uint64_t operand = 0);

/// To be called last by an entry point that has read `value` and returns it, having called the above. Stops the thread if its
/// last round was for nothing.
void leave_round_out(Thread& thread, std::uint64_t value);

/// Clears what calls of the runtime left below the frame of its caller: it would turn up in variables of the program that
/// are not initialised, and make states differ.
__attribute__((noinline)) void scrub_stack();
/// The same after a plain access: what it leaves there is little, but counts events.
__attribute__((noinline)) void scrub_after_plain_access();
/// The same after calls that need more of it.
__attribute__((noinline)) void scrub_stack_deep();

/// See liveness.h.
std::uint8_t live_registers(std::uintptr_t site);

/// Adds the registers at a call from `site` that matter, and all of a visit's.
void add_registers(Digest& digest, const std::uint64_t* registers, std::uintptr_t site);
void add_visit(Digest& digest, const SpinVisit& visit);

/// Whether this is memory that we may look at; other memory is left to the program.
bool is_sure_to_be_there(const Thread& thread, std::uintptr_t address);

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

}  // namespace ordeal::runtime
