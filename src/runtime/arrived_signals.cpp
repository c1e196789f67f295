#include "runtime/arrived_signals.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <utility>

#include "runtime/access.h"
#include "runtime/fiber.h"
#include "runtime/outside.h"
#include "runtime/raw_system_call.h"
#include "runtime/signals.h"
#include "runtime/timers.h"
#include "runtime/watchdog.h"

namespace ordeal::runtime {

volatile bool ArrivedSignals::are_there_ = false;

namespace {

constexpr int kLastSignal = 64;
volatile bool has_arrived[kLastSignal + 1];
siginfo_t infos[kLastSignal + 1];
bool is_followed[kLastSignal + 1];

bool is_taken_by_us(int signal) {
  for (const int ours : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGALRM, SIGINT, SIGKILL, SIGSTOP})
    if (signal == ours) return true;
  return signal < 1 || signal > kLastSignal;
}

void set_system_handler(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(signal, &action, nullptr);
}

}  // namespace

/// If no execution is under way, a pipe that is closed is that of who reads the report.
void ArrivedSignals::note(int signal, siginfo_t* info, void*) {
  if (signal == SIGPIPE && !Fiber::is_running()) {
    ::signal(SIGPIPE, SIG_DFL);
    raw_system_call(SYS_kill, raw_system_call(SYS_getpid), SIGPIPE);
    return;
  }
  infos[signal] = *info;
  has_arrived[signal] = true;
  are_there_ = true;
  Watchdog::ask_to_look();
}

void ArrivedSignals::install() { set_system_handler(SIGPIPE, &note); }

void ArrivedSignals::follow(int signal, bool is_noted, bool is_ignored) {
  if (is_taken_by_us(signal) || (!is_testing && signal != SIGPIPE)) return;
  is_followed[signal] = true;
  if (is_noted || (signal == SIGPIPE && !is_ignored)) set_system_handler(signal, &note);
  else ::signal(signal, is_ignored ? SIG_IGN : SIG_DFL);
}

void ArrivedSignals::forget() {
  for (int signal = 1; signal <= kLastSignal; ++signal) {
    if (std::exchange(is_followed[signal], false)) ::signal(signal, SIG_DFL);
    has_arrived[signal] = false;
  }
  install();
  are_there_ = false;
}

void ArrivedSignals::note_more() {
  are_there_ = true;
  Watchdog::ask_to_look();
}

void ArrivedSignals::receive_all(std::uintptr_t site) {
  const Interlude interlude;
  are_there_ = false;
  for (int signal = 1; signal <= kLastSignal; ++signal) {
    if (!has_arrived[signal]) continue;
    has_arrived[signal] = false;
    const siginfo_t info = infos[signal];
    Signals::send({signal, Signals::kAnyThread, info, Signals::Sender::kSystem}, site);
  }
  for (Signals::Signal signal{}; Timers::take_signal(signal);) {
    Outside::acquire(site);  // what was done before the timer was set
    Signals::send(signal, site);
  }
}

void ArrivedSignals::note_handled(bool starts_again) {
  NativeProgram::current->has_handled_signal = true;
  NativeProgram::current->must_end_call |= !starts_again;
}

bool ArrivedSignals::is_interrupted(Call call) {
  Thread& thread = *NativeProgram::current;
  const bool handled = std::exchange(thread.has_handled_signal, false), ends = std::exchange(thread.must_end_call, false);
  return call == Call::kEnds ? handled : ends;
}

}  // namespace ordeal::runtime
