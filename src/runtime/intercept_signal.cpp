// Signals that the program sends to itself, and its handlers. The kernel never hears of them: faults, the watchdog and Ctrl-C are
// ours. A handler runs in the thread that raises the signal.
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/arrived_signals.h"
#include "runtime/fault.h"
#include "runtime/forked.h"
#include "runtime/libc_state.h"
#include "runtime/modules.h"
#include "runtime/outside.h"
#include "runtime/pthreads.h"
#include "runtime/spin.h"
#include "runtime/testing.h"

namespace ordeal::runtime {
namespace {

constexpr int kSignals = 65;
struct sigaction actions[kSignals];
sigset_t blocked;
bool is_changed = false;

// Of random testing: signals that are blocked wait until somebody takes them, or lets them through.
struct Pending {
  int signal;
  int thread;  // -1: for any
  siginfo_t info;
};
std::vector<Pending> pending;
std::vector<int> waiting;  // threads in sigwait or sigsuspend
struct Suspended {
  int thread;
  sigset_t mask;
};
std::vector<Suspended> suspended;  // those in sigsuspend

NativeProgram& program() { return *NativeProgram::instance; }
bool is_programs(std::uintptr_t site) { return is_checked() && !is_libc(site) && !is_libgcc(site) && !is_ours(site); }
bool is_signal(int signal) { return signal > 0 && signal < kSignals; }

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

void note_change() {
  flush_pending_write();
  note_effect(*NativeProgram::current);
  is_changed = true;
}

/// The system is to note what the program handles, or blocks.
void tell_system(int signal) {
  const bool is_ignored = (actions[signal].sa_flags & SA_SIGINFO) == 0 && actions[signal].sa_handler == SIG_IGN;
  ArrivedSignals::follow(signal, has_signal_handler(signal) || (!is_ignored && sigismember(&blocked, signal) == 1), is_ignored);
}

bool is_ignored_by_default(int signal) { return signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT; }
bool stops_by_default(int signal) { return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU; }

/// What nobody handles ends the program.
void do_default(int signal, std::uintptr_t site) {
  if (is_ignored_by_default(signal)) return;
  if (Forked::is_here) Forked::die(signal);
  if (stops_by_default(signal)) program().refuse("a signal that stops the program", site);
  const char* name = sigabbrev_np(signal);
  Failure failure;
  failure.kind = trace::BugKind::kSignal;
  failure.message = name != nullptr ? "SIG" + std::string(name) : "signal " + std::to_string(signal);
  failure.site = static_cast<std::uint32_t>(site);
  failure.sides.push_back({NativeProgram::current->id, ArrivedSignals::info() != nullptr ? "gets a signal that ends the program" : "raises a signal that ends the program", 0, program().stack_here(site), failure.site});
  program().fail(std::move(failure));
}

/// What its handler is told: by the system, if it has sent the signal.
siginfo_t info_of(int signal) {
  if (ArrivedSignals::info() != nullptr) return *ArrivedSignals::info();
  siginfo_t info{};
  info.si_signo = signal;
  info.si_code = SI_TKILL;
  return info;
}

/// Who waits for signals looks again.
void leave_pending(int signal, int thread, std::uintptr_t site) {
  Outside::release(site);
  pending.push_back({signal, thread, info_of(signal)});
  for (const int waiter : std::exchange(waiting, {})) Testing::wake(waiter);
}

/// The first of those that the running thread may take, which is taken; 0: none.
template <class IsWanted>
int take_pending(IsWanted&& is_wanted, siginfo_t* info = nullptr) {
  const auto found = std::find_if(pending.begin(), pending.end(), [&](const Pending& each) { return (each.thread < 0 || each.thread == NativeProgram::current->id) && is_wanted(each.signal); });
  if (found == pending.end()) return 0;
  const int signal = found->signal;
  if (info != nullptr) *info = found->info;
  pending.erase(found);
  return signal;
}

void wait_for_any(std::uintptr_t site) {
  waiting.push_back(NativeProgram::current->id);
  Testing::wait_outside(*NativeProgram::current, site);
  if (ArrivedSignals::are_there()) ArrivedSignals::receive_all(site);
}

int wait_for_signal(const sigset_t* set, std::uintptr_t site) {
  note_change();
  for (;;) {
    if (const int signal = take_pending([&](int each) { return sigismember(set, each) == 1; }); signal != 0) {
      Outside::acquire(site);
      return signal;
    }
    wait_for_any(site);
  }
}

bool has_handler(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

/// What the program has said that is to be done.
void handle_signal(int signal, siginfo_t info, std::uintptr_t site) {
  const struct sigaction action = actions[signal];
  if ((action.sa_flags & SA_RESETHAND) != 0) actions[signal] = {};
  if (has_handler(action)) ArrivedSignals::note_handled((action.sa_flags & SA_RESTART) != 0);
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    action.sa_sigaction(signal, &info, nullptr);
  } else if (action.sa_handler == SIG_DFL) {
    do_default(signal, site);
  } else if (action.sa_handler != SIG_IGN) {
    action.sa_handler(signal);
  }
}

int raise_signal(int signal, const siginfo_t& info, std::uintptr_t site) {
  if (!is_signal(signal)) {
    errno = EINVAL;
    return -1;
  }
  note_change();
  if (sigismember(&blocked, signal) == 1) {
    if (!is_testing) program().refuse("a signal that is blocked", site);
    leave_pending(signal, -1, site);
    return 0;
  }
  handle_signal(signal, info, site);
  return 0;
}
int raise_signal(int signal, std::uintptr_t site) { return raise_signal(signal, info_of(signal), site); }

/// Whether a thread stands in sigsuspend, and waits for this signal among others.
bool is_awaited(int signal) {
  return std::any_of(suspended.begin(), suspended.end(), [&](const Suspended& each) { return sigismember(&each.mask, signal) == 0; });
}

/// With this mask until a handler has run. One that is ignored ends no wait.
int suspend(const sigset_t* mask, std::uintptr_t site) {
  note_change();
  const int self = NativeProgram::current->id;
  suspended.push_back({self, *mask});
  for (bool has_run = false; !has_run;) {
    siginfo_t info{};
    const int signal = take_pending([&](int each) { return sigismember(mask, each) == 0; }, &info);
    if (signal == 0) {
      wait_for_any(site);
      continue;
    }
    Outside::acquire(site);
    has_run = has_signal_handler(signal);
    if (has_run) std::erase_if(suspended, [&](const Suspended& each) { return each.thread == self; });
    handle_signal(signal, info, site);
  }
  errno = EINTR;
  return -1;
}

/// To other processes. The program's own group is that of the command, and of whoever started it.
int send_signal(pid_t process, int signal, std::uintptr_t site) {
  if (!is_testing) program().refuse("kill of another process", site);
  if (process == 0 || process == -1 || -process == getpgrp()) program().refuse("kill of a group of processes that it belongs to", site);
  flush_pending_write();
  note_effect(*NativeProgram::current);
  Outside::release(site);
  return real<int(pid_t, int)>("kill")(process, signal);
}

int set_action(int signal, const struct sigaction* action, struct sigaction* old) {
  if (!is_signal(signal) || (action != nullptr && (signal == SIGKILL || signal == SIGSTOP))) {
    errno = EINVAL;
    return -1;
  }
  note_change();
  const struct sigaction before = actions[signal];
  if (action != nullptr) {
    actions[signal] = *action;
    tell_system(signal);
  }
  if (old != nullptr) *old = before;
  return 0;
}

int set_mask(int how, const sigset_t* set, sigset_t* old) {
  note_change();
  if (old != nullptr) *old = blocked;
  for (int signal = 1; set != nullptr && signal < kSignals; ++signal) {
    const bool is_member = sigismember(set, signal) == 1, was_blocked = sigismember(&blocked, signal) == 1;
    if (is_member && how != SIG_UNBLOCK) sigaddset(&blocked, signal);
    else if (is_member || how == SIG_SETMASK) sigdelset(&blocked, signal);
    if (was_blocked != (sigismember(&blocked, signal) == 1)) tell_system(signal);
  }
  siginfo_t info{};
  while (const int signal = take_pending([](int each) { return sigismember(&blocked, each) == 0; }, &info)) raise_signal(signal, info, NativeProgram::current->site);
  return 0;
}

}  // namespace

bool has_signal_handler(int signal) { return is_signal(signal) && has_handler(actions[signal]); }

void receive_signal(int signal, std::uintptr_t site) {
  if (!is_awaited(signal)) {
    raise_signal(signal, info_of(signal), site);
    return;
  }
  note_change();
  leave_pending(signal, -1, site);
}

bool wake_who_waits_for_signals() {
  const std::vector<int> threads = std::exchange(waiting, {});
  for (const int thread : threads) Testing::wake(thread);
  return !threads.empty();
}

bool is_signal_awaited() { return !waiting.empty(); }

bool are_signals_unchanged() { return !is_changed; }

void restore_signal_handlers() {
  if (ArrivedSignals::are_there()) ArrivedSignals::forget();
  if (!is_changed) return;
  std::memset(actions, 0, sizeof actions);
  sigemptyset(&blocked);
  pending.clear();
  waiting.clear();
  suspended.clear();
  is_changed = false;
  ArrivedSignals::forget();
}

void forget_waits_for_signals() {
  pending.clear();
  waiting.clear();
  suspended.clear();
}

/// Also those that are ours otherwise.
void give_signals_to_system() {
  for (int signal = 1; signal < kSignals; ++signal)
    if ((actions[signal].sa_flags & SA_SIGINFO) == 0 && actions[signal].sa_handler == SIG_IGN) real<sighandler_t(int, sighandler_t)>("signal")(signal, SIG_IGN);
  real<int(int, const sigset_t*, sigset_t*)>("sigprocmask")(SIG_SETMASK, &blocked, nullptr);
}

void take_signals_from_system() {
  sigset_t none;
  sigemptyset(&none);
  real<int(int, const sigset_t*, sigset_t*)>("sigprocmask")(SIG_SETMASK, &none, nullptr);
  install_fault_handlers();
}

}  // namespace ordeal::runtime

using namespace ordeal::runtime;

ORDEAL_ABI int sigaction(int signal, const struct sigaction* action, struct sigaction* old) noexcept {
  if (is_programs(ORDEAL_SITE)) return set_action(signal, action, old);
  return real<int(int, const struct sigaction*, struct sigaction*)>("sigaction")(signal, action, old);
}
ORDEAL_ABI sighandler_t signal(int signal, sighandler_t handler) noexcept {
  if (!is_programs(ORDEAL_SITE)) return real<sighandler_t(int, sighandler_t)>("signal")(signal, handler);
  struct sigaction action {}, old {};
  action.sa_handler = handler;
  return set_action(signal, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}
// Its other names. With -std=c11 and the like `signal` is System V's, whose handlers run once.
#define ORDEAL_SIGNAL(NAME, FLAGS)                                                                                        \
  ORDEAL_ABI sighandler_t ordeal_##NAME(int signal, sighandler_t handler) __asm__(#NAME);                                 \
  ORDEAL_ABI sighandler_t ordeal_##NAME(int signal, sighandler_t handler) {                                               \
    if (!is_programs(ORDEAL_SITE)) return real<sighandler_t(int, sighandler_t)>(#NAME)(signal, handler);                  \
    struct sigaction action {}, old {};                                                                                   \
    action.sa_handler = handler;                                                                                          \
    action.sa_flags = FLAGS;                                                                                              \
    return set_action(signal, &action, &old) == 0 ? old.sa_handler : SIG_ERR;                                             \
  }
ORDEAL_SIGNAL(__sysv_signal, SA_RESETHAND)
ORDEAL_SIGNAL(sysv_signal, SA_RESETHAND)
ORDEAL_SIGNAL(bsd_signal, 0)
ORDEAL_SIGNAL(ssignal, 0)
ORDEAL_ABI int ordeal_sigignore(int signal) __asm__("sigignore");
ORDEAL_ABI int ordeal_sigignore(int signal) {
  if (!is_programs(ORDEAL_SITE)) return real<int(int)>("sigignore")(signal);
  struct sigaction action {};
  action.sa_handler = SIG_IGN;
  return set_action(signal, &action, nullptr);
}
ORDEAL_ABI int ordeal_siginterrupt(int signal, int flag) __asm__("siginterrupt");
ORDEAL_ABI int ordeal_siginterrupt(int signal, int flag) {
  if (!is_programs(ORDEAL_SITE)) return real<int(int, int)>("siginterrupt")(signal, flag);
  return is_signal(signal) ? 0 : -1;  // no call of the system is interrupted
}
ORDEAL_ABI int ordeal_gsignal(int signal) noexcept(false) __asm__("gsignal");
ORDEAL_ABI int ordeal_gsignal(int signal) noexcept(false) { return is_programs(ORDEAL_SITE) ? raise_signal(signal, ORDEAL_SITE) : real<int(int)>("gsignal")(signal); }
ORDEAL_ABI int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  if (is_programs(ORDEAL_SITE)) return set_mask(how, set, old);
  return real<int(int, const sigset_t*, sigset_t*)>("sigprocmask")(how, set, old);
}
ORDEAL_ABI int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  if (is_programs(ORDEAL_SITE)) return set_mask(how, set, old);
  return real<int(int, const sigset_t*, sigset_t*)>("pthread_sigmask")(how, set, old);
}
ORDEAL_ABI int raise(int signal) noexcept(false) {
  return is_programs(ORDEAL_SITE) ? raise_signal(signal, ORDEAL_SITE) : real<int(int)>("raise")(signal);
}
ORDEAL_ABI int kill(pid_t process, int signal) noexcept(false) {
  if (!is_programs(ORDEAL_SITE) || signal == 0) return real<int(pid_t, int)>("kill")(process, signal);
  if (process != getpid()) return send_signal(process, signal, ORDEAL_SITE);
  if (is_signal(signal) && is_awaited(signal)) {  // the system gives it to one that does not block it
    note_change();
    leave_pending(signal, -1, ORDEAL_SITE);
    return 0;
  }
  return raise_signal(signal, ORDEAL_SITE);
}

ORDEAL_ABI int sigsuspend(const sigset_t* mask) {
  if (!is_programs(ORDEAL_SITE)) return real<int(const sigset_t*)>("sigsuspend")(mask);
  if (!is_testing) program().refuse("sigsuspend is not supported", ORDEAL_SITE);
  return suspend(mask, ORDEAL_SITE);
}
ORDEAL_ABI int pause() {
  if (!is_programs(ORDEAL_SITE)) return real<int()>("pause")();
  if (!is_testing) program().refuse("pause is not supported", ORDEAL_SITE);
  const sigset_t mask = blocked;
  return suspend(&mask, ORDEAL_SITE);
}
ORDEAL_ABI int sigwait(const sigset_t* set, int* signal) {
  if (!is_programs(ORDEAL_SITE)) return real<int(const sigset_t*, int*)>("sigwait")(set, signal);
  if (!is_testing) program().refuse("sigwait is not supported", ORDEAL_SITE);
  *signal = wait_for_signal(set, ORDEAL_SITE);
  return 0;
}
ORDEAL_ABI int pthread_kill(pthread_t handle, int signal) noexcept(false) {
  if (handle == kFirstHandle && !is_checked()) handle = reinterpret_cast<pthread_t>(__builtin_thread_pointer());  // libc's own: a library is made ready
  if (!is_programs(ORDEAL_SITE)) return real<int(pthread_t, int)>("pthread_kill")(handle, signal);
  if (!is_testing) program().refuse("pthread_kill is not supported", ORDEAL_SITE);
  const int thread = number_of_thread(handle);
  if (thread < 0) return ESRCH;
  if (signal == 0) return 0;
  if (thread == NativeProgram::current->id) return raise_signal(signal, ORDEAL_SITE);
  const bool is_expected = std::find(waiting.begin(), waiting.end(), thread) != waiting.end();
  if (!is_expected && sigismember(&blocked, signal) != 1) program().refuse("pthread_kill of another thread, with a signal that is not blocked", ORDEAL_SITE);
  note_change();
  leave_pending(signal, thread, ORDEAL_SITE);
  return 0;
}
