#include "runtime/signals.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "runtime/access.h"
#include "runtime/arrived_signals.h"
#include "runtime/cancellation.h"
#include "runtime/forked.h"
#include "runtime/libc_state.h"
#include "runtime/loops/trace.h"
#include "runtime/outside.h"
#include "runtime/testing.h"
#include "runtime/timers.h"
#include "runtime/watchdog.h"

namespace ordeal::runtime {

bool Signals::are_there_ = false;

namespace {

struct sigaction actions[kSignals];
bool is_changed = false;

std::vector<Signals::Signal> unhandled;
std::vector<int> waiting;    // threads in sigwait or sigsuspend
std::vector<int> suspended;  // those in sigsuspend, with the mask of its argument

Thread& running() { return *NativeProgram::current; }
bool is_there(const Thread& thread) { return thread.state == Thread::State::kReady || thread.state == Thread::State::kRunning; }
bool blocks(const Thread& thread, int signal) { return (thread.blocked_signals & signal_bit(signal)) != 0; }

/// The first thread that does not block it, one in sigsuspend before others; -1: none.
int who_may_take(int signal) {
  NativeProgram& program = *NativeProgram::instance;
  for (const int thread : suspended)
    if (!blocks(program.thread(thread), signal)) return thread;
  for (int t = 0; t < program.thread_count(); ++t)
    if (is_there(program.thread(t)) && !Testing::is_left_behind(t) && !blocks(program.thread(t), signal)) return t;
  return -1;
}
bool is_awaited(int signal) {
  return std::any_of(suspended.begin(), suspended.end(), [&](int thread) { return !blocks(NativeProgram::instance->thread(thread), signal); });
}
bool is_blocked_by_any(int signal) {
  NativeProgram& program = *NativeProgram::instance;
  for (int t = 0; t < program.thread_count(); ++t)
    if (is_there(program.thread(t)) && blocks(program.thread(t), signal)) return true;
  return false;
}

/// The system is to note what the program handles, or blocks.
void tell_system(int signal) {
  const bool is_ignored = Signals::is_ignored(signal);
  ArrivedSignals::follow(signal, Signals::has_handler(signal) || (!is_ignored && is_blocked_by_any(signal)), is_ignored);
}

bool is_ignored_by_default(int signal) { return signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT; }
bool stops_by_default(int signal) { return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU; }
bool does_nothing(int signal) { return Signals::is_ignored(signal) || (!Signals::has_handler(signal) && is_ignored_by_default(signal)); }

/// What nobody handles ends the program.
void do_default(const Signals::Signal& signal, std::uintptr_t site) {
  NativeProgram& program = *NativeProgram::instance;
  if (is_ignored_by_default(signal.number)) return;
  if (Forked::is_here) Forked::die(signal.number);
  if (stops_by_default(signal.number)) program.refuse("a signal that stops the program", site);
  const char* name = sigabbrev_np(signal.number);
  Failure failure;
  failure.kind = trace::BugKind::kSignal;
  failure.message = name != nullptr ? "SIG" + std::string(name) : "signal " + std::to_string(signal.number);
  failure.site = static_cast<std::uint32_t>(site);
  const char* what = signal.sender == Signals::Sender::kSystem ? "gets a signal that ends the program" : "raises a signal that ends the program";
  failure.sides.push_back({running().id, what, 0, program.stack_here(site), failure.site});
  program.fail(std::move(failure));
}

bool is_for(const Signals::Signal& signal, const Thread& thread) { return signal.thread == Signals::kAnyThread || signal.thread == thread.id; }

/// The first that the running thread may take, which is taken; number 0: none.
Signals::Signal take_pending(SignalMask wanted) {
  const auto found = std::find_if(unhandled.begin(), unhandled.end(), [&](const Signals::Signal& each) { return is_for(each, running()) && (wanted & signal_bit(each.number)) != 0; });
  if (found == unhandled.end()) return {};
  const Signals::Signal signal = *found;
  unhandled.erase(found);
  return signal;
}

/// Ordinary signals do not queue.
void leave_pending(const Signals::Signal& signal, std::uintptr_t site) {
  if (signal.sender == Signals::Sender::kProgram) Outside::release(site);  // else it is not of the running thread that it tells
  const bool is_known = std::any_of(unhandled.begin(), unhandled.end(), [&](const Signals::Signal& each) { return each.number == signal.number && each.thread == signal.thread; });
  if (!is_known || signal.number >= SIGRTMIN) unhandled.push_back(signal);
  for (const int waiter : std::exchange(waiting, {})) Testing::wake(waiter);
}

void wait_for_any(std::uintptr_t site) {
  Cancellation::point();
  if (!Signals::must_look()) {
    waiting.push_back(running().id);
    Testing::wait_outside(running(), site);
    std::erase(waiting, running().id);
  }
  Watchdog::stop_if_wanted();
  Cancellation::point();
}

/// The mask of a thread while its handler runs, and before.
struct HandlerFrame {
  explicit HandlerFrame(SignalMask also_blocked) : thread(running()), before(thread.blocked_signals), outer(std::exchange(thread.handlers, this)) {
    thread.blocked_signals |= also_blocked;
  }
  ~HandlerFrame() {
    thread.handlers = outer;
    thread.blocked_signals = before;
  }
  HandlerFrame(const HandlerFrame&) = delete;
  HandlerFrame& operator=(const HandlerFrame&) = delete;

  Thread& thread;
  SignalMask before;
  void* outer;
};

}  // namespace

SignalMask mask_of_set(const sigset_t& set) {
  SignalMask mask = 0;
  for (int signal = 1; signal < kSignals; ++signal)
    if (sigismember(&set, signal) == 1) mask |= signal_bit(signal);
  return mask & ~(signal_bit(SIGKILL) | signal_bit(SIGSTOP));
}

void put_mask(SignalMask mask, sigset_t* set) {
  sigemptyset(set);
  for (int signal = 1; signal < kSignals; ++signal)
    if ((mask & signal_bit(signal)) != 0) sigaddset(set, signal);
}

Interlude::Interlude()
    : thread_(running()), operation_(thread_.operation), site_(thread_.site), deadline_(std::exchange(thread_.deadline, 0)), error_(errno),
      waits_with_time_limit_(std::exchange(thread_.waits_with_time_limit, false)), has_timed_out_(std::exchange(thread_.has_timed_out, false)),
      may_be_interrupted_(std::exchange(thread_.may_be_interrupted, false)), may_be_cancelled_(std::exchange(thread_.may_be_cancelled, false)) {}
Interlude::~Interlude() {
  thread_.operation = operation_;
  thread_.site = site_;
  thread_.deadline = deadline_;
  thread_.waits_with_time_limit = waits_with_time_limit_;
  thread_.has_timed_out = has_timed_out_;
  thread_.may_be_interrupted = may_be_interrupted_;
  thread_.may_be_cancelled = may_be_cancelled_;
  errno = error_;
}

siginfo_t Signals::info_of(int signal, int code) {
  siginfo_t info{};
  info.si_signo = signal;
  info.si_code = code;
  info.si_pid = getpid();
  info.si_uid = getuid();
  return info;
}

const struct sigaction& Signals::action(int signal) { return actions[signal]; }
void Signals::set_action(int signal, const struct sigaction& action) {
  note_change();
  actions[signal] = action;
  tell_system(signal);
}
bool Signals::has_handler(int signal) {
  const struct sigaction& action = actions[signal];
  return (action.sa_flags & SA_SIGINFO) != 0 || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}
bool Signals::is_ignored(int signal) { return (actions[signal].sa_flags & SA_SIGINFO) == 0 && actions[signal].sa_handler == SIG_IGN; }

void Signals::note_change() {
  flush_pending_write();
  note_effect(running());
  is_changed = true;
}

/// Whether some thread may take one, now that something has changed. What is for a thread that has ended is gone.
void Signals::look_again() {
  std::erase_if(unhandled, [](const Signal& each) { return each.thread >= 0 && !is_there(NativeProgram::instance->thread(each.thread)); });
  are_there_ = std::any_of(unhandled.begin(), unhandled.end(), [](const Signal& each) {
    return each.thread >= 0 ? !blocks(NativeProgram::instance->thread(each.thread), each.number) : who_may_take(each.number) >= 0;
  });
  if (are_there_) Watchdog::ask_to_look();
}

void Signals::send(const Signal& signal, std::uintptr_t site) {
  note_change();
  const Thread& self = running();
  const bool is_for_self = is_for(signal, self) && !blocks(self, signal.number);
  if (is_for_self && (signal.thread == self.id || !is_awaited(signal.number))) {
    handle(signal, site);
    return deliver(site);  // what was blocked meanwhile
  }
  if (!is_testing) NativeProgram::instance->refuse("a signal that is blocked", site);
  int taker = signal.thread;
  if (taker == kAnyThread) taker = who_may_take(signal.number);
  else if (blocks(NativeProgram::instance->thread(taker), signal.number)) taker = -1;
  if (taker >= 0 && does_nothing(signal.number)) return;
  if (taker >= 0 && !has_handler(signal.number)) return do_default(signal, site);
  leave_pending(signal, site);
  if (taker >= 0) Testing::interrupt(taker);
  look_again();
}

bool Signals::must_look() {
  if (ArrivedSignals::are_there() || (running().may_be_cancelled && Cancellation::is_wanted())) return true;
  return are_there_ && std::any_of(unhandled.begin(), unhandled.end(), [](const Signal& each) { return is_for(each, running()) && !blocks(running(), each.number); });
}

void Signals::deliver(std::uintptr_t site) {
  if (!are_there_) return;
  const Interlude interlude;
  for (;;) {
    const Signal signal = take_pending(~running().blocked_signals);
    if (signal.number == 0) break;
    look_again();
    Outside::acquire(site);
    handle(signal, site);
  }
  look_again();
}

/// What the program has said that is to be done.
void Signals::handle(const Signal& signal, std::uintptr_t site) {
  const struct sigaction action = actions[signal.number];
  if (is_ignored(signal.number)) return;
  if (!has_handler(signal.number)) return do_default(signal, site);
  if ((action.sa_flags & SA_RESETHAND) != 0) actions[signal.number] = {};
  ArrivedSignals::note_handled((action.sa_flags & SA_RESTART) != 0);
  {
    const HandlerFrame frame(mask_of_set(action.sa_mask) | ((action.sa_flags & SA_NODEFER) != 0 ? 0 : signal_bit(signal.number)));
    siginfo_t info = signal.info;
    if ((action.sa_flags & SA_SIGINFO) != 0) action.sa_sigaction(signal.number, &info, nullptr);
    else action.sa_handler(signal.number);
  }
  ++running().handled_signals;
  look_again();
}

void Signals::leave_handlers(std::uintptr_t stack, bool restores_mask) {
  Thread& thread = running();
  while (thread.handlers != nullptr && reinterpret_cast<std::uintptr_t>(thread.handlers) < stack) {
    const auto& frame = *static_cast<const HandlerFrame*>(thread.handlers);
    thread.handlers = frame.outer;
    if (restores_mask) thread.blocked_signals = frame.before;
  }
  std::erase(suspended, thread.id);
  look_again();
}

void Signals::set_mask(SignalMask mask, std::uintptr_t site) {
  note_change();
  SignalMask& blocked = running().blocked_signals;
  const SignalMask changed = std::exchange(blocked, mask) ^ mask;
  for (int signal = 1; signal < kSignals; ++signal)
    if ((changed & signal_bit(signal)) != 0) tell_system(signal);
  look_again();
  deliver(site);
}

SignalMask Signals::pending() {
  SignalMask mask = 0;
  for (const Signal& each : unhandled)
    if (is_for(each, running())) mask |= signal_bit(each.number);
  return mask;
}

bool Signals::is_pending_of_timer(int timer) {
  return std::any_of(unhandled.begin(), unhandled.end(), [&](const Signal& each) { return (each.info.si_code == SI_TIMER || each.info.si_code == SI_KERNEL) && each.sender == Sender::kSystem && each.info.si_timerid == timer; });
}

int Signals::wait_for(SignalMask wanted, siginfo_t* info, Until until, std::uintptr_t site) {
  note_change();
  const std::uint64_t handled = running().handled_signals;
  for (;;) {
    if (const Signal signal = take_pending(wanted); signal.number != 0) {
      look_again();
      Outside::acquire(site);
      if (info != nullptr) *info = signal.info;
      return signal.number;
    }
    deliver(site);
    if (until == Until::kTakenOrHandled && running().handled_signals != handled) return 0;
    if (std::exchange(running().has_timed_out, false)) return 0;
    wait_for_any(site);
  }
}

void Signals::suspend(SignalMask mask, std::uintptr_t site) {
  note_change();
  Thread& thread = running();
  const std::uint64_t handled = thread.handled_signals;
  struct Suspended {  // also if it is cancelled
    explicit Suspended(SignalMask mask) : before(std::exchange(running().blocked_signals, mask)) { suspended.push_back(running().id); }
    ~Suspended() {
      std::erase(suspended, running().id);
      running().blocked_signals = before;
    }
    SignalMask before;
  };
  {
    const Suspended now(mask);
    look_again();
    for (;;) {
      deliver(site);
      if (thread.handled_signals != handled) break;
      wait_for_any(site);
    }
  }
  look_again();
}

// --- for others (libc_state.h) -------------------------------------------------------------------------------------------------

bool has_signal_handler(int signal) { return is_signal(signal) && Signals::has_handler(signal); }

bool wake_who_waits_for_signals() {
  const std::vector<int> threads = std::exchange(waiting, {});
  for (const int thread : threads) Testing::wake(thread);
  return !threads.empty();
}

bool is_signal_awaited() { return !waiting.empty(); }

bool are_signals_unchanged() { return !is_changed; }

void Signals::forget() {
  unhandled.clear();
  waiting.clear();
  suspended.clear();
  are_there_ = false;
}
void forget_waits_for_signals() { Signals::forget(); }

void restore_signal_handlers() {
  if (ArrivedSignals::are_there()) ArrivedSignals::forget();
  if (!is_changed) return;
  std::memset(actions, 0, sizeof actions);
  Signals::forget();
  Timers::forget();
  is_changed = false;
  ArrivedSignals::forget();
}

}  // namespace ordeal::runtime
