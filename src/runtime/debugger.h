// A debugger on one execution (`ordeal replay --gdb`): where it stops, and what package/gdb.py reads of the program's threads.
//
// The execution runs once. Where it fails, the failing thread calls ordeal_failing_operation(), at which gdb has a breakpoint: the
// thread's stack is the program's. If nobody runs then (a deadlock, say), the first thread that takes part is entered for it. What comes
// behind is of no interest: the process ends.
#pragma once

#include <cstdint>

#include "trace/run_result.h"

namespace ordeal::runtime {

class NativeProgram;
struct Failure;
struct Thread;

class Debugger {
 public:
  static inline bool is_on = false;
  /// Of random testing, where an execution may have several races: the code address at which the one is found that is wanted.
  static inline std::uint32_t race = 0;
  /// The thread whose stack is asked for next is to stop.
  static inline bool is_asked_to_stop = false;

  /// A thread that there is from now on, at the next number.
  static void note(const Thread& thread);
  /// This is it: of the running thread, or of none.
  [[noreturn]] static void stop_at(trace::BugKind kind);
  [[noreturn]] static void stop();
  /// The bug is found when nobody runs. Of the threads that take part one stops that waits for more than another's end; if all have
  /// ended, none.
  [[noreturn]] static void stop_after(NativeProgram& program, const Failure& failure);
};

}  // namespace ordeal::runtime
