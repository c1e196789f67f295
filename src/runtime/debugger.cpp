#include "runtime/debugger.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/native_program.h"
#include "runtime/testing.h"
#include "trace/run_result_format.h"

/// What package/gdb.py reads. All members have 8 bytes; a change of meaning is a new version.
struct OrdealDebugger {
  std::uint64_t version = 1;
  std::uint64_t count = 0;        // of threads
  const void* current = nullptr;  // where the pointer to the running thread is
  std::uint64_t state = 0, context = 0;  // in a thread: distances from its begin
  const char* kind = nullptr;     // of the bug
  std::uint64_t length = 0;       // of that
  const void* threads[ordeal::runtime::kMaxThreads] = {};
};

extern "C" {
__attribute__((visibility("default"))) OrdealDebugger ordeal_debugger;
/// Here gdb stops.
__attribute__((visibility("default"), noinline, noclone)) void ordeal_failing_operation() { asm volatile("" ::: "memory"); }
}

namespace ordeal::runtime {

void Debugger::note(const Thread& thread) {
  const auto distance = [&](const void* member) { return static_cast<std::uint64_t>(static_cast<const char*>(member) - reinterpret_cast<const char*>(&thread)); };
  ordeal_debugger.current = &NativeProgram::current;
  ordeal_debugger.state = distance(&thread.state);
  ordeal_debugger.context = distance(&thread.fiber);  // where it stands is its first member
  if (ordeal_debugger.count < kMaxThreads) ordeal_debugger.threads[ordeal_debugger.count++] = &thread;
}

namespace {

void tell(trace::BugKind kind) {
  const std::string_view word = trace::word(kind);
  ordeal_debugger.kind = word.data();
  ordeal_debugger.length = word.size();
}

}  // namespace

void Debugger::stop() {
  ordeal_failing_operation();
  constexpr int kBug = 1;
  for (;;) syscall(SYS_exit_group, kBug);  // not _exit, which is the program's
}

void Debugger::stop_at(trace::BugKind kind) {
  tell(kind);
  stop();
}

void Debugger::stop_after(NativeProgram& program, const Failure& failure) {
  tell(failure.kind);
  int chosen = -1;
  for (const Failure::Side& side : failure.sides) {
    const Thread& thread = program.thread(side.thread);
    if (thread.state != Thread::State::kRunning) continue;
    if (chosen < 0 || program.thread(chosen).operation.kind == engine::OperationKind::kJoin) chosen = side.thread;
  }
  is_asked_to_stop = chosen >= 0 && failure.kind != trace::BugKind::kLeak;
  if (is_asked_to_stop && is_testing) Testing::stack_of(program, chosen);
  else if (is_asked_to_stop) program.stack_of(chosen);
  stop();
}

}  // namespace ordeal::runtime
