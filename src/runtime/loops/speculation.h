// Where a thread would be now, had an earlier operation given something else: it is tried out.
//
// The thread's stack, its registers and what it has written are put back to what they were at that operation, the operation returns
// the other outcome, and the program's own code runs on to the thread's next operation: there its configuration is noted. Then everything is
// put back to what it was. All of it happens in this process, on the thread's own stack (the code has pointers to it), directed from another.
//
// Nothing else may notice. So it ends where the code would do more than compute and access memory: an allocation, a lock, output, a fault:
// all that comes into the runtime by another way than an access (is_checked in access.h). And it is begun only where all code that may run
// is seen (code_paths.h). Where it ends early the answer is that nobody knows. The answer depends on the thread's own past and on
// what happens before it, and on nothing else: accesses that are in a race are found in the execution that is asked about.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/thread.h"

namespace ordeal::runtime {

class Speculation {
 public:
  /// Tries out where the thread, which runs, would be if the operation of `from` had given `outcome`, and the operations behind it were `then` and
  /// gave what these did. False: nobody knows.
  static bool run(const Thread& thread, const Step& from, const Outcome& outcome, std::span<const Step> then = {});
  /// Whether it came to the configuration of `there`, which is behind, or at, one of the thread's steps. REQUIRES: the last `run` of this thread was true, and
  /// the thread has not gone on.
  static bool came_to(const Thread& thread, const Step& there);

  /// Whether it came to the operation of `there`, at least; also with the same registers and stack.
  static bool came_to_call(const Step& there);
  static bool came_to_state(const Step& there);
  /// Where it came to: operation, registers and stack.
  static const Step& arrival();
  /// Whether the thread itself has made all plain accesses that were made there, when it had at least `events` events. REQUIRES: as for came_to.
  static bool accessed_nothing_new(const Thread& thread, base::ClockEntry events);

  /// Whether no plain access was made there, but to the stack. REQUIRES: as for came_to.
  static bool accessed_nothing();
  /// As accessed_nothing_new, of the stack alone: others may have pointers to it.
  static bool accessed_no_new_stack(const Thread& thread, base::ClockEntry events);
  /// Those to the stack, in their order: others may have pointers to it. False: too many to tell.
  static bool accessed_on_stack(std::vector<Range>& ranges);

  /// Whether the code that runs now is only tried out.
  static bool is_on() { return is_on_; }
  /// It has come to an operation. Returns what that gives, or does not return. REQUIRES: is_on(), like those below.
  static Outcome arrive(const Call& call);
  /// It is about to access memory, anywhere. `site`: where the runtime was called, and returns to.
  static void note_access(std::uintptr_t address, std::size_t size, bool is_write, std::uintptr_t site);
  static void note_write(std::uintptr_t address, std::size_t size);
  /// It enters a function, or is about to leave one.
  static void note_entry(std::uintptr_t caller, std::uintptr_t site);
  static void note_exit(std::uintptr_t site);
  /// Nobody knows where it would go on.
  enum class Why : std::uint8_t { kNothing, kRuntime, kHiddenCode, kOtherOperation, kUnknownRegisters, kTooMuch };
  [[noreturn]] static void leave(Why why = Why::kRuntime);
  static Why why() { return why_; }

 private:
  static void direct();
  static bool is_seen(std::uintptr_t site);
  static bool is_on_;
  static Why why_;
};

}  // namespace ordeal::runtime
