// alarm, setitimer, timer_create, timerfd_create and their kin: while a program is tested (timers.h).
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/modules.h"
#include "runtime/open_files.h"
#include "runtime/outside.h"
#include "runtime/timers.h"
#include "runtime/virtual_time.h"

namespace ordeal::runtime {
namespace {

bool is_timer_of_program(std::uintptr_t site) { return is_checked() && !is_libc(site) && !is_libgcc(site) && !is_ours(site); }

template <class Signature>
Signature* real_timer(const char* name) {
  return reinterpret_cast<Signature*>(dlsym(RTLD_NEXT, name));
}

void require_testing(const char* name, std::uintptr_t site) {
  flush_pending_write();
  if (!is_testing) NativeProgram::instance->refuse(std::string(name) + " is not supported", site);
}

int end_with(int error) {
  errno = error;
  return -1;
}

std::int64_t nanoseconds_in(const timeval& time) { return time.tv_sec * kSecond + std::int64_t{time.tv_usec} * 1000; }
std::int64_t nanoseconds_in(const timespec& time) { return time.tv_sec * kSecond + time.tv_nsec; }
bool is_time(const timespec& time) { return time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < kSecond; }
bool is_time(const timeval& time) { return time.tv_sec >= 0 && time.tv_usec >= 0 && time.tv_usec < 1'000'000; }
/// A time that is left is never shown as none.
itimerval value_of(const Timers::Setting& setting) {
  const std::int64_t in = (setting.in + 999) / 1000, interval = setting.interval / 1000;
  return {{interval / 1'000'000, interval % 1'000'000}, {in / 1'000'000, in % 1'000'000}};
}
itimerspec specification_of(const Timers::Setting& setting) { return {{setting.interval / kSecond, setting.interval % kSecond}, {setting.in / kSecond, setting.in % kSecond}}; }

/// What its handler does comes behind what was done before it was set.
Timers::Setting set_timer(int number, const Timers::Setting& setting, std::uintptr_t site) {
  flush_pending_write();
  const Timers::Setting before = Timers::setting_of(number);
  Outside::release(site);
  Timers::set(number, setting);
  return before;
}

Timers::Setting set_timer_of_process(const Timers::Setting& setting, std::uintptr_t site) {
  Timers::find(Timers::kOfProcess);
  return set_timer(Timers::kOfProcess, setting, site);
}

/// An absolute time is one that the program's clocks show.
Timers::Setting setting_in(const itimerspec& given, bool is_absolute) {
  const std::int64_t value = nanoseconds_in(given.it_value);
  if (value == 0) return {};
  std::int64_t in = value;
  if (is_absolute) in = Outside::real_time ? Outside::deadline_of(&given.it_value) - Outside::now() : value - kClockStart - Outside::virtual_time;
  return {in > 0 ? in : 1, nanoseconds_in(given.it_interval)};
}

int number_of(timer_t handle) { return static_cast<int>(reinterpret_cast<std::intptr_t>(handle)); }

}  // namespace
}  // namespace ordeal::runtime

using namespace ordeal::runtime;

ORDEAL_ABI unsigned alarm(unsigned seconds) noexcept(false) {
  if (!is_timer_of_program(ORDEAL_SITE)) return real_timer<unsigned(unsigned)>("alarm")(seconds);
  require_testing("alarm", ORDEAL_SITE);
  const std::int64_t left = set_timer_of_process({std::int64_t{seconds} * kSecond, 0}, ORDEAL_SITE).in;
  return left == 0 ? 0 : static_cast<unsigned>(left < kSecond ? 1 : (left + kSecond / 2) / kSecond);  // as glibc rounds it
}
ORDEAL_ABI useconds_t ualarm(useconds_t first, useconds_t interval) noexcept(false) {
  if (!is_timer_of_program(ORDEAL_SITE)) return real_timer<useconds_t(useconds_t, useconds_t)>("ualarm")(first, interval);
  require_testing("ualarm", ORDEAL_SITE);
  return static_cast<useconds_t>(set_timer_of_process({std::int64_t{first} * 1000, std::int64_t{interval} * 1000}, ORDEAL_SITE).in / 1000);
}
ORDEAL_ABI int ordeal_setitimer(int which, const itimerval* given, itimerval* old) __asm__("setitimer");
ORDEAL_ABI int ordeal_setitimer(int which, const itimerval* given, itimerval* old) {
  if (!is_timer_of_program(ORDEAL_SITE)) return static_cast<int>(syscall(SYS_setitimer, which, given, old));
  require_testing("setitimer", ORDEAL_SITE);
  if (which != ITIMER_REAL) NativeProgram::instance->refuse("setitimer of processor time is not supported", ORDEAL_SITE);
  if (given != nullptr && (!is_time(given->it_value) || !is_time(given->it_interval))) return end_with(EINVAL);
  const Timers::Setting none{}, setting = given == nullptr ? none : Timers::Setting{nanoseconds_in(given->it_value), nanoseconds_in(given->it_interval)};
  const Timers::Setting before = set_timer_of_process(setting, ORDEAL_SITE);
  if (old != nullptr) *old = value_of(before);
  return 0;
}
ORDEAL_ABI int ordeal_getitimer(int which, itimerval* value) __asm__("getitimer");
ORDEAL_ABI int ordeal_getitimer(int which, itimerval* value) {
  if (!is_timer_of_program(ORDEAL_SITE) || which != ITIMER_REAL) return static_cast<int>(syscall(SYS_getitimer, which, value));
  *value = Timers::find(Timers::kOfProcess) == nullptr ? itimerval{} : value_of(Timers::setting_of(Timers::kOfProcess));
  return 0;
}

ORDEAL_ABI int timer_create(clockid_t clock, sigevent* event, timer_t* handle) noexcept(false) {
  if (!is_timer_of_program(ORDEAL_SITE)) return real_timer<int(clockid_t, sigevent*, timer_t*)>("timer_create")(clock, event, handle);
  require_testing("timer_create", ORDEAL_SITE);
  if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock < 0) NativeProgram::instance->refuse("timer_create with a clock of processor time is not supported", ORDEAL_SITE);
  Timers::Timer timer;
  timer.kind = Timers::Kind::kSignal;
  timer.info.si_signo = event == nullptr ? SIGALRM : event->sigev_signo;
  timer.info.si_code = SI_TIMER;
  if (event != nullptr && event->sigev_notify == SIGEV_NONE) timer.kind = Timers::Kind::kNone;
  if (event != nullptr && event->sigev_notify == SIGEV_THREAD) timer.kind = Timers::Kind::kThread, timer.callback = {event->sigev_notify_function, event->sigev_value};
  if (event != nullptr && event->sigev_notify == SIGEV_THREAD_ID) NativeProgram::instance->refuse("timer_create with SIGEV_THREAD_ID is not supported", ORDEAL_SITE);
  if (timer.kind == Timers::Kind::kSignal && !is_signal(timer.info.si_signo)) return end_with(EINVAL);
  const int number = Timers::add(timer, ORDEAL_SITE);
  if (event != nullptr) Timers::find(number)->info.si_value = event->sigev_value;
  else Timers::find(number)->info.si_value.sival_int = number;
  *handle = reinterpret_cast<timer_t>(static_cast<std::intptr_t>(number));
  return 0;
}
ORDEAL_ABI int timer_settime(timer_t handle, int flags, const itimerspec* given, itimerspec* old) noexcept(false) {
  if (!is_timer_of_program(ORDEAL_SITE)) return real_timer<int(timer_t, int, const itimerspec*, itimerspec*)>("timer_settime")(handle, flags, given, old);
  if (Timers::find(number_of(handle)) == nullptr || !is_time(given->it_value) || !is_time(given->it_interval)) return end_with(EINVAL);
  const Timers::Setting before = set_timer(number_of(handle), setting_in(*given, (flags & TIMER_ABSTIME) != 0), ORDEAL_SITE);
  if (old != nullptr) *old = specification_of(before);
  return 0;
}
ORDEAL_ABI int timer_gettime(timer_t handle, itimerspec* value) noexcept {
  if (!is_timer_of_program(ORDEAL_SITE)) return real_timer<int(timer_t, itimerspec*)>("timer_gettime")(handle, value);
  if (Timers::find(number_of(handle)) == nullptr) return end_with(EINVAL);
  *value = specification_of(Timers::setting_of(number_of(handle)));
  return 0;
}
ORDEAL_ABI int timer_getoverrun(timer_t handle) noexcept {
  if (!is_timer_of_program(ORDEAL_SITE)) return real_timer<int(timer_t)>("timer_getoverrun")(handle);
  const Timers::Timer* timer = Timers::find(number_of(handle));
  return timer == nullptr ? end_with(EINVAL) : timer->overruns;
}
ORDEAL_ABI int timer_delete(timer_t handle) noexcept(false) {
  if (!is_timer_of_program(ORDEAL_SITE)) return real_timer<int(timer_t)>("timer_delete")(handle);
  if (Timers::find(number_of(handle)) == nullptr || number_of(handle) == Timers::kOfProcess) return end_with(EINVAL);
  flush_pending_write();
  Timers::remove(number_of(handle));
  return 0;
}

// The file is the kernel's, and its time ours: it is made ready when that has come. While nothing is tested, or time is real, all of it is the kernel's.
static bool is_virtual_timer(std::uintptr_t site) { return is_timer_of_program(site) && is_testing && !Outside::real_time; }

ORDEAL_ABI int timerfd_settime(int file, int flags, const itimerspec* given, itimerspec* old) noexcept(false) {
  if (is_timer_of_program(ORDEAL_SITE)) OpenFiles::note_call();
  if (!is_virtual_timer(ORDEAL_SITE)) return static_cast<int>(syscall(SYS_timerfd_settime, file, flags, given, old));
  const itimerspec none{};
  if (!is_time(given->it_value) || !is_time(given->it_interval)) return end_with(EINVAL);
  if (syscall(SYS_timerfd_settime, file, 0, &none, nullptr) != 0) return -1;
  int number = Timers::find_file(file);
  if (number < 0) {
    Timers::Timer timer;
    timer.kind = Timers::Kind::kFile;
    timer.file = file;
    number = Timers::add(timer, ORDEAL_SITE);
  }
  const Timers::Setting before = set_timer(number, setting_in(*given, (flags & TFD_TIMER_ABSTIME) != 0), ORDEAL_SITE);
  if (old != nullptr) *old = specification_of(before);
  return 0;
}
ORDEAL_ABI int timerfd_gettime(int file, itimerspec* value) noexcept {
  const int number = is_virtual_timer(ORDEAL_SITE) ? Timers::find_file(file) : -1;
  if (number < 0) return static_cast<int>(syscall(SYS_timerfd_gettime, file, value));
  *value = specification_of(Timers::setting_of(number));
  return 0;
}
