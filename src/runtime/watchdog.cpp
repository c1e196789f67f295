#include "runtime/watchdog.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <string>

#include "runtime/access.h"
#include "runtime/arrived_signals.h"
#include "runtime/modules.h"
#include "runtime/raw_system_call.h"
#include "runtime/signals.h"
#include "runtime/test_heap.h"
#include "runtime/testing.h"
#include "runtime/timers.h"

namespace ordeal::runtime {

volatile Watchdog::Over Watchdog::over_ = Over::kNot;
volatile bool Watchdog::over_flag_ = false, Watchdog::is_given_up_ = false;
volatile bool Watchdog::wants_stop_ = false, Watchdog::must_stop_ = false;
volatile bool Watchdog::is_in_call_ = false;

namespace {

constexpr int kLooksPerSecond = 20;
constexpr int kLooksWhileRecording = kLooksPerSecond / 2;  // that the thread runs without end is known already

int looks_allowed = 0, looks_idle = 0;  // 0 allowed: any number
std::uint64_t operations_seen = 0;
double idle_limit = 0, deadline = 0;
enum class Recording : std::uint8_t { kNo, kEnding, kEndless } recording = Recording::kNo;

double now() {
  timespec time{};
  raw_system_call(SYS_clock_gettime, CLOCK_MONOTONIC, reinterpret_cast<long>(&time));  // the program's clocks are virtual
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Who called libc: walks outwards from the interrupted instruction.
struct Caller {
  std::uintptr_t interrupted;
  bool is_behind = false;  // of the signal's frames
  std::uintptr_t found = 0;
};

_Unwind_Reason_Code look_for_caller(_Unwind_Context* context, void* data) {
  auto& caller = *static_cast<Caller*>(data);
  const std::uintptr_t address = _Unwind_GetIP(context);
  caller.is_behind |= address == caller.interrupted;
  if (!caller.is_behind || is_libc(address)) return _URC_NO_REASON;
  caller.found = address;
  return _URC_END_OF_STACK;
}

bool may_stop_at(std::uintptr_t code) {
  if (is_libc(code)) {
    Caller caller{code};
    _Unwind_Backtrace(&look_for_caller, &caller);
    code = caller.found;
  }
  return code != 0 && !is_ours(code) && !is_libgcc(code);
}

/// What shows that the program goes on.
std::uint64_t operations_made() { return is_testing ? Testing::operations() + TestHeap::blocks_given_out() : NativeProgram::instance->operations(); }

bool runs_without_end() {
  if (operations_made() != operations_seen) {
    operations_seen = operations_made();
    looks_idle = 0;
    return false;
  }
  return looks_allowed > 0 && ++looks_idle >= looks_allowed;
}

void set_timer(int microseconds) {
  const itimerval interval{{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_REAL, &interval, nullptr);
}

}  // namespace

void Watchdog::look(int signal, void* context) {
  if (signal == SIGINT) over_ = Over::kInterrupt;
  else if (deadline > 0 && over_ == Over::kNot && now() >= deadline) over_ = Over::kTime;
  over_flag_ = (is_over() || is_given_up_) && recording == Recording::kNo;
  if (!Fiber::is_running()) return;  // the engine looks before its next step
  if (is_testing && is_in_call_) looks_idle = 0;  // what it waits for is not the program's
  const bool is_endless = signal != SIGINT && runs_without_end();
  if (is_testing && is_checked() && Timers::are_set()) {
    Timers::note_idle(static_cast<double>(looks_idle) / kLooksPerSecond);
    if (Timers::is_asked()) wants_stop_ = true;
  }
  if (!over_flag_ && !is_endless) return;
  must_stop_ = true;
  wants_stop_ = true;
  const auto code = static_cast<std::uintptr_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
  if (Speculation::is_on()) {
    if (!is_ours(code)) Speculation::leave();
    return;
  }
  if (is_checked() && ((is_in_call_ && is_libc(code)) || may_stop_at(code))) stop_thread(code + 1);
}

void Watchdog::stop_if_still_wanted() {
  wants_stop_ = false;
  if (Timers::is_asked() && is_checked()) Timers::answer();
  if (ArrivedSignals::are_there() && is_checked()) ArrivedSignals::receive_all(NativeProgram::current->site);
  if (Signals::are_there() && is_checked()) Signals::deliver(NativeProgram::current->site);
  if (!must_stop_) return;
  must_stop_ = false;
  if (over_flag_ || operations_made() == operations_seen) stop_thread(0);
}

void Watchdog::stop_thread(std::uintptr_t site) {
  must_stop_ = false;
  wants_stop_ = false;
  is_in_call_ = false;
  looks_idle = 0;
  NativeProgram& program = *NativeProgram::instance;
  Thread& thread = *NativeProgram::current;
  thread.pending = {};
  thread.site = site;
  if (over_flag_) program.stop(engine::Cut::kBound);
  Failure failure;
  failure.kind = trace::BugKind::kNoProgress;
  failure.message = "ran for " + std::to_string(static_cast<int>(idle_limit)) + " seconds without any atomic or synchronising operation";
  failure.sides.push_back({thread.id, "runs without end", 0, program.stack_here(site), 0});
  program.fail(std::move(failure));
}

void Watchdog::begin_recording(bool runs_without_end) {
  recording = runs_without_end ? Recording::kEndless : Recording::kEnding;
  looks_allowed = runs_without_end ? kLooksWhileRecording : 0;
  looks_idle = 0;
  must_stop_ = false;
  wants_stop_ = false;
  over_flag_ = false;
}

void Watchdog::end_recording() {
  recording = Recording::kNo;
  looks_allowed = static_cast<int>(idle_limit * kLooksPerSecond);
  looks_idle = 0;
  over_flag_ = is_over() || is_given_up_;
}

void Watchdog::start(double idle_seconds, double time_limit, bool takes_interrupts) {
  idle_limit = idle_seconds;
  deadline = time_limit > 0 ? now() + time_limit : 0;
  end_recording();
  struct sigaction action {};
  action.sa_sigaction = [](int signal, siginfo_t*, void* context) { look(signal, context); };
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  action.sa_flags |= SA_RESETHAND;
  if (takes_interrupts) sigaction(SIGINT, &action, nullptr);
  if (idle_seconds > 0 || time_limit > 0) set_timer(1'000'000 / kLooksPerSecond);
}

void Watchdog::stop() {
  set_timer(0);
  over_flag_ = false;
  must_stop_ = false;
  wants_stop_ = false;
}

}  // namespace ordeal::runtime
