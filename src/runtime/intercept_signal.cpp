// Functions with which the program sends signals to itself, handles, blocks and awaits them (signals.h). Faults, the watchdog and Ctrl-C are ours.
#include <dlfcn.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/arrived_signals.h"
#include "runtime/fault.h"
#include "runtime/libc_state.h"
#include "runtime/loops/trace.h"
#include "runtime/modules.h"
#include "runtime/outside.h"
#include "runtime/pthreads.h"
#include "runtime/signals.h"
#include "runtime/timers.h"
#include "runtime/virtual_time.h"

namespace ordeal::runtime {
namespace {

NativeProgram& program() { return *NativeProgram::instance; }
bool is_programs(std::uintptr_t site) { return is_checked() && !is_libc(site) && !is_libgcc(site) && !is_ours(site); }

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

int give_error(int error) {
  errno = error;
  return -1;
}

void require_testing(const char* name, std::uintptr_t site) {
  if (!is_testing) program().refuse(std::string(name) + " is not supported", site);
}

int raise_signal(int signal, std::uintptr_t site) {
  if (!is_signal(signal)) return give_error(EINVAL);
  Signals::send({signal, NativeProgram::current->id, Signals::info_of(signal, SI_TKILL)}, site);
  return 0;
}

int send_to_process(int signal, const siginfo_t& info, std::uintptr_t site) {
  if (!is_signal(signal)) return give_error(EINVAL);
  Signals::send({signal, Signals::kAnyThread, info}, site);
  return 0;
}

/// An error's number, or 0.
int send_to_thread(pthread_t handle, int signal, const siginfo_t& info, std::uintptr_t site) {
  const int thread = number_of_thread(handle);
  if (thread < 0) return ESRCH;
  if (signal == 0) return 0;
  if (!is_signal(signal)) return EINVAL;
  if (program().thread(thread).state == Thread::State::kFinished) return 0;
  Signals::send({signal, thread, info}, site);
  return 0;
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
  if (!is_signal(signal) || (action != nullptr && (signal == SIGKILL || signal == SIGSTOP))) return give_error(EINVAL);
  Signals::note_change();
  const struct sigaction before = Signals::action(signal);
  if (action != nullptr) Signals::set_action(signal, *action);
  if (old != nullptr) *old = before;
  return 0;
}

/// An error's number, or 0.
int change_mask(int how, const sigset_t* set, sigset_t* old, std::uintptr_t site) {
  Signals::note_change();
  const SignalMask before = NativeProgram::current->blocked_signals, given = set != nullptr ? mask_of_set(*set) : 0;
  if (set != nullptr && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
  if (old != nullptr) put_mask(before, old);
  if (set != nullptr) note_effect(*NativeProgram::current);
  if (set != nullptr) Signals::set_mask(how == SIG_BLOCK ? before | given : how == SIG_UNBLOCK ? before & ~given : given, site);
  return 0;
}

/// sigtimedwait. Without a limit it waits until there is one, or a handler has run.
int wait_for_info(const sigset_t* set, siginfo_t* info, const timespec* timeout, std::uintptr_t site) {
  if (timeout != nullptr && (timeout->tv_nsec < 0 || timeout->tv_nsec >= kSecond)) return give_error(EINVAL);
  const SignalMask wanted = mask_of_set(*set);
  if (timeout != nullptr && (Signals::pending() & wanted) == 0 && ((timeout->tv_sec == 0 && timeout->tv_nsec == 0) || gives_up_at_once(site))) {
    let_time_pass(timeout->tv_sec * kSecond + timeout->tv_nsec);
    return give_error(EAGAIN);
  }
  const std::uint64_t handled = NativeProgram::current->handled_signals;
  siginfo_t taken{};
  int signal = 0;
  if (timeout != nullptr) {
    const TimeLimit limit(timeout, false);
    signal = Signals::wait_for(wanted, &taken, Signals::Until::kTakenOrHandled, site);
  } else {
    signal = Signals::wait_for(wanted, &taken, Signals::Until::kTakenOrHandled, site);
  }
  if (signal == 0 && NativeProgram::current->handled_signals != handled) return give_error(EINTR);
  if (signal == 0) {
    let_time_pass(timeout->tv_sec * kSecond + timeout->tv_nsec);
    return give_error(EAGAIN);
  }
  if (info != nullptr) *info = taken;
  return signal;
}

/// Where the stack stands behind a jump: glibc keeps it mangled.
std::uintptr_t stack_behind(const __jmp_buf_tag* environment) {
  constexpr int kStackPointer = 6;
  auto pointer = static_cast<std::uintptr_t>(environment->__jmpbuf[kStackPointer]);
  __asm__("ror $0x11, %0; xor %%fs:0x30, %0" : "+r"(pointer));
  return pointer;
}

}  // namespace

/// Also those that are ours otherwise.
void give_signals_to_system() {
  for (int signal = 1; signal < kSignals; ++signal)
    if (Signals::is_ignored(signal)) real<sighandler_t(int, sighandler_t)>("signal")(signal, SIG_IGN);
  sigset_t blocked;
  put_mask(NativeProgram::current->blocked_signals, &blocked);
  Timers::give_to_system();
  real<int(int, const sigset_t*, sigset_t*)>("sigprocmask")(SIG_SETMASK, &blocked, nullptr);
}

void take_signals_from_system() {
  Timers::take_from_system();
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
  action.sa_flags = SA_RESTART;
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
ORDEAL_SIGNAL(__sysv_signal, SA_RESETHAND | SA_NODEFER)
ORDEAL_SIGNAL(sysv_signal, SA_RESETHAND | SA_NODEFER)
ORDEAL_SIGNAL(bsd_signal, SA_RESTART)
ORDEAL_SIGNAL(ssignal, SA_RESTART)
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
  if (!is_signal(signal)) return give_error(EINVAL);
  struct sigaction action = Signals::action(signal);
  action.sa_flags = flag != 0 ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
  return set_action(signal, &action, nullptr);
}
ORDEAL_ABI int ordeal_gsignal(int signal) noexcept(false) __asm__("gsignal");
ORDEAL_ABI int ordeal_gsignal(int signal) noexcept(false) { return is_programs(ORDEAL_SITE) ? raise_signal(signal, ORDEAL_SITE) : real<int(int)>("gsignal")(signal); }
ORDEAL_ABI int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept(false) {
  if (!is_programs(ORDEAL_SITE)) return real<int(int, const sigset_t*, sigset_t*)>("sigprocmask")(how, set, old);
  const int error = change_mask(how, set, old, ORDEAL_SITE);
  return error == 0 ? 0 : give_error(error);
}
ORDEAL_ABI int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept(false) {
  if (is_programs(ORDEAL_SITE)) return change_mask(how, set, old, ORDEAL_SITE);
  return real<int(int, const sigset_t*, sigset_t*)>("pthread_sigmask")(how, set, old);
}
ORDEAL_ABI int sigpending(sigset_t* set) noexcept {
  if (!is_programs(ORDEAL_SITE)) return real<int(sigset_t*)>("sigpending")(set);
  put_mask(Signals::pending(), set);
  return 0;
}
ORDEAL_ABI int raise(int signal) noexcept(false) {
  return is_programs(ORDEAL_SITE) ? raise_signal(signal, ORDEAL_SITE) : real<int(int)>("raise")(signal);
}
ORDEAL_ABI int kill(pid_t process, int signal) noexcept(false) {
  if (!is_programs(ORDEAL_SITE) || signal == 0) return real<int(pid_t, int)>("kill")(process, signal);
  if (process != getpid()) return send_signal(process, signal, ORDEAL_SITE);
  return send_to_process(signal, Signals::info_of(signal, SI_USER), ORDEAL_SITE);
}
ORDEAL_ABI int sigqueue(pid_t process, int signal, const sigval value) noexcept(false) {
  if (!is_programs(ORDEAL_SITE) || signal == 0) return real<int(pid_t, int, sigval)>("sigqueue")(process, signal, value);
  require_testing("sigqueue", ORDEAL_SITE);
  if (process != getpid()) program().refuse("sigqueue of another process", ORDEAL_SITE);
  siginfo_t info = Signals::info_of(signal, SI_QUEUE);
  info.si_value = value;
  return send_to_process(signal, info, ORDEAL_SITE);
}

ORDEAL_ABI int sigsuspend(const sigset_t* mask) {
  if (!is_programs(ORDEAL_SITE)) return real<int(const sigset_t*)>("sigsuspend")(mask);
  require_testing("sigsuspend", ORDEAL_SITE);
  Signals::suspend(mask_of_set(*mask), ORDEAL_SITE);
  return give_error(EINTR);
}
ORDEAL_ABI int pause() {
  if (!is_programs(ORDEAL_SITE)) return real<int()>("pause")();
  require_testing("pause", ORDEAL_SITE);
  Signals::suspend(NativeProgram::current->blocked_signals, ORDEAL_SITE);
  return give_error(EINTR);
}
ORDEAL_ABI int sigwait(const sigset_t* set, int* signal) {
  if (!is_programs(ORDEAL_SITE)) return real<int(const sigset_t*, int*)>("sigwait")(set, signal);
  require_testing("sigwait", ORDEAL_SITE);
  *signal = Signals::wait_for(mask_of_set(*set), nullptr, Signals::Until::kTaken, ORDEAL_SITE);
  return 0;
}
ORDEAL_ABI int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  if (!is_programs(ORDEAL_SITE)) return real<int(const sigset_t*, siginfo_t*)>("sigwaitinfo")(set, info);
  require_testing("sigwaitinfo", ORDEAL_SITE);
  return wait_for_info(set, info, nullptr, ORDEAL_SITE);
}
ORDEAL_ABI int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* timeout) {
  if (!is_programs(ORDEAL_SITE)) return real<int(const sigset_t*, siginfo_t*, const timespec*)>("sigtimedwait")(set, info, timeout);
  require_testing("sigtimedwait", ORDEAL_SITE);
  return wait_for_info(set, info, timeout, ORDEAL_SITE);
}

ORDEAL_ABI int pthread_kill(pthread_t handle, int signal) noexcept(false) {
  if (handle == kFirstHandle && !is_checked()) handle = reinterpret_cast<pthread_t>(__builtin_thread_pointer());  // libc's own: a library is made ready
  if (!is_programs(ORDEAL_SITE)) return real<int(pthread_t, int)>("pthread_kill")(handle, signal);
  require_testing("pthread_kill", ORDEAL_SITE);
  return send_to_thread(handle, signal, Signals::info_of(signal, SI_TKILL), ORDEAL_SITE);
}
ORDEAL_ABI int pthread_sigqueue(pthread_t handle, int signal, const sigval value) noexcept(false) {
  if (!is_programs(ORDEAL_SITE)) return real<int(pthread_t, int, sigval)>("pthread_sigqueue")(handle, signal, value);
  require_testing("pthread_sigqueue", ORDEAL_SITE);
  siginfo_t info = Signals::info_of(signal, SI_QUEUE);
  info.si_value = value;
  return send_to_thread(handle, signal, info, ORDEAL_SITE);
}

// A jump out of a handler. If sigsetjmp has kept the mask, it is put back.
#define ORDEAL_JUMP(NAME)                                                                                                     \
  ORDEAL_ABI void ordeal_##NAME(__jmp_buf_tag* environment, int value) __asm__(#NAME);                                        \
  ORDEAL_ABI void ordeal_##NAME(__jmp_buf_tag* environment, int value) {                                                      \
    if (is_checked() && NativeProgram::current->handlers != nullptr) Signals::leave_handlers(stack_behind(environment), environment->__mask_was_saved != 0); \
    real<void(__jmp_buf_tag*, int)>(#NAME)(environment, value);                                                               \
    __builtin_unreachable();                                                                                                  \
  }
ORDEAL_JUMP(longjmp)
ORDEAL_JUMP(_longjmp)
ORDEAL_JUMP(siglongjmp)
ORDEAL_JUMP(__longjmp_chk)
