// Which turns of loops are redundant. README.md here has the rules, with their conditions and proofs; this is where they are applied.
//
// Before each operation the thread's configuration is compared with those of its earlier steps (rule A), and it is asked whether an earlier operation
// could have given what a later one gave (rules B and N). Then the thread is stopped for the rest of the execution; the others go on.
#pragma once

#include <cstdint>

#include "runtime/loops/trace.h"

namespace ordeal::runtime {

/// Whether turns of loops that are shown to be redundant are left out. Otherwise each is a turn like any other.
inline bool reduces_loops = true;
/// Whether rules B and N are used: not with load buffering.
inline bool takes_over = true;
/// Whether a compare-exchange that fails is a barrier: on x86.
inline bool failing_is_barrier = false;

/// To be called first by an entry point that reads or locks. Stops the thread if it only waits, or if a turn of it is redundant. Afterwards the
/// operation is the thread's last step.
void begin_step(Thread& thread, const Call& call);
/// The same for a sync object.
void begin_step(Thread& thread, std::uintptr_t site, const volatile void* object);
/// Whether rules B and N may find something, or something is to be tried out, where the thread stands: it has made no operation behind its last step.
bool may_end_turn(const Thread& thread);
/// REQUIRES: that.
void begin_last(Thread& thread, const Call& call);

/// To be called first by an entry point that does not read: nothing waits there. `call()` makes the call, if it is of interest.
template <class MakeCall>
void begin_write(Thread& thread, MakeCall&& call) {
  if (is_testing) return;
  settle_plain_write(thread);
  if (may_end_turn(thread)) begin_last(thread, call());
}
/// The thread's routine has returned.
void begin_end(Thread& thread);

/// What the operation of the last step has given. `source` names the write that it read.
struct StepResult {
  Outcome outcome;
  std::int64_t source;
  bool failed_spuriously, could_have_failed;
};
void end_step(Thread& thread, std::uintptr_t object, const StepResult& result);

/// Whether the weak compare-exchange that is about to be made comes back to the same configuration if it fails without reason (rule A): then it need not.
/// REQUIRES: begin_step was called for it.
bool fails_in_vain(const Thread& thread);

}  // namespace ordeal::runtime
