#include "runtime/timers.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "runtime/access.h"
#include "runtime/arrived_signals.h"
#include "runtime/outside.h"
#include "runtime/pthreads.h"
#include "runtime/testing.h"
#include "runtime/virtual_time.h"

namespace ordeal::runtime {

int Timers::set_ = 0;
volatile bool Timers::is_asked_ = false;
volatile std::int64_t Timers::first_ = 0;

namespace {

std::vector<Timers::Timer> timers;
std::vector<Signals::Signal> signals_due;
struct TimerCall {
  int timer;
  Timers::Callback callback;
};
std::vector<TimerCall> calls_due;
constexpr unsigned long kSetTicks = _IOW('T', 0, std::uint64_t);  // TFD_IOC_SET_TICKS, of a header that does not go with glibc's
int helper = -1;  // the thread that creates those of SIGEV_THREAD, as glibc has one
bool helper_waits = false;

std::int64_t times_gone_off(const Timers::Timer& timer, std::int64_t time) { return timer.interval > 0 ? 1 + (time - timer.deadline) / timer.interval : 1; }

/// The file is ready, and says how often it was since somebody read it.
void make_ready(Timers::Timer& timer, std::int64_t count) {
  pollfd file{timer.file, POLLIN, 0};
  const timespec nothing{0, 0};
  const bool is_unread = syscall(SYS_ppoll, &file, 1, &nothing, nullptr, 0) == 1;
  timer.ticks = (is_unread ? timer.ticks : 0) + static_cast<std::uint64_t>(count);
  const itimerspec at_once{{0, 0}, {0, 1}};
  if (!is_unread) syscall(SYS_timerfd_settime, timer.file, 0, &at_once, nullptr);
  if (timer.ticks == 1) return;
  syscall(SYS_ppoll, &file, 1, nullptr, nullptr, 0);  // its one tick is there at once
  std::uint64_t ticks = timer.ticks;
  syscall(SYS_ioctl, timer.file, kSetTicks, &ticks);
}

void* run_callback(void* argument) {
  const Timers::Callback callback = *static_cast<Timers::Callback*>(argument);
  delete static_cast<Timers::Callback*>(argument);
  NativeProgram::current->blocked_signals = 0;
  callback.run(callback.value);
  return nullptr;
}

/// What it creates threads for was said when the timer was set, not when some other thread saw the time.
void* create_callbacks(void* argument) {
  const auto site = reinterpret_cast<std::uintptr_t>(argument);
  NativeProgram::current->blocked_signals = ~SignalMask{0};
  NativeProgram::current->is_helper = true;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  for (;;) {
    while (calls_due.empty()) {
      helper_waits = true;
      Testing::wait_outside(*NativeProgram::current, site);
    }
    auto* callback = new Timers::Callback(calls_due.front().callback);
    calls_due.erase(calls_due.begin());
    Outside::acquire(site);
    pthread_t handle;
    create_thread(&handle, &attributes, &run_callback, callback, site);
  }
}

void start_helper(std::uintptr_t site) {
  if (helper >= 0) return;
  pthread_t handle;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  create_thread(&handle, &attributes, &create_callbacks, reinterpret_cast<void*>(site), site);
  helper = number_of_thread(handle);
}

void make_first() {
  if (!timers.empty()) return;
  Timers::Timer first;
  first.kind = Timers::Kind::kSignal;
  first.info.si_signo = SIGALRM;
  first.info.si_code = SI_KERNEL;
  first.is_used = true;
  timers.push_back(first);
}

}  // namespace

std::int64_t Timers::now() { return Outside::real_time ? Outside::now() : Outside::virtual_time; }

void Timers::count() {
  int set = 0;
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const Timer& timer : timers) {
    if (timer.deadline == 0 || timer.kind == Kind::kNone) continue;
    ++set;
    first = std::min(first, timer.deadline);
  }
  first_ = first;
  set_ = set;
}

std::int64_t Timers::earliest() { return first_; }

int Timers::add(const Timer& timer, std::uintptr_t site) {
  Signals::note_change();
  make_first();
  if (timer.kind == Kind::kThread) start_helper(site);
  const auto free = std::find_if(timers.begin(), timers.end(), [](const Timer& each) { return !each.is_used; });
  const auto number = static_cast<int>(free - timers.begin());
  if (free == timers.end()) timers.push_back(timer);
  else *free = timer;
  timers[static_cast<std::size_t>(number)].is_used = true;
  timers[static_cast<std::size_t>(number)].info.si_timerid = number;
  return number;
}

Timers::Timer* Timers::find(int number) {
  make_first();
  if (number < 0 || number >= static_cast<int>(timers.size()) || !timers[static_cast<std::size_t>(number)].is_used) return nullptr;
  return &timers[static_cast<std::size_t>(number)];
}

int Timers::find_file(int file) {
  for (std::size_t i = timers.size(); i > 0; --i)
    if (timers[i - 1].is_used && timers[i - 1].kind == Kind::kFile && timers[i - 1].file == file) return static_cast<int>(i - 1);
  return -1;
}

void Timers::remove(int number) {
  timers[static_cast<std::size_t>(number)] = {};
  std::erase_if(calls_due, [&](const TimerCall& call) { return call.timer == number; });
  count();
}

void Timers::set(int number, const Setting& setting) {
  Signals::note_change();
  Timer& timer = timers[static_cast<std::size_t>(number)];
  timer.deadline = setting.in > 0 ? std::max<std::int64_t>(now() + setting.in, 1) : 0;
  timer.interval = setting.interval;
  timer.overruns = 0;
  count();
}

Timers::Setting Timers::setting_of(int number) {
  Timer& timer = timers[static_cast<std::size_t>(number)];
  const std::int64_t time = now();
  if (timer.kind == Kind::kNone && timer.deadline != 0 && timer.deadline <= time) {  // nobody is told
    if (timer.interval == 0) timer.deadline = 0;
    else timer.deadline += times_gone_off(timer, time) * timer.interval;
  }
  return {timer.deadline == 0 ? 0 : std::max<std::int64_t>(timer.deadline - time, 1), timer.interval};
}

bool Timers::go_off(int number, std::int64_t time) {
  Timer& timer = timers[static_cast<std::size_t>(number)];
  const std::int64_t times = times_gone_off(timer, time);
  if (timer.interval > 0) timer.deadline += times * timer.interval;
  else timer.deadline = 0;
  Testing::note_change();
  if (timer.kind == Kind::kFile) {
    make_ready(timer, times);
    Outside::is_changed = true;
    return true;
  }
  if (timer.kind == Kind::kThread) {
    timer.overruns = static_cast<int>(times - 1);
    calls_due.push_back({number, timer.callback});
    if (helper_waits) Testing::wake(helper);
    helper_waits = false;
    return true;
  }
  const bool is_due = std::any_of(signals_due.begin(), signals_due.end(), [&](const Signals::Signal& signal) { return signal.info.si_timerid == number; });
  if (is_due || Signals::is_pending_of_timer(number)) {
    timer.overruns += static_cast<int>(times);
    return false;
  }
  timer.overruns = static_cast<int>(times - 1);
  timer.info.si_overrun = timer.overruns;
  signals_due.push_back({timer.info.si_signo, timer.thread, timer.info, Signals::Sender::kSystem});
  ArrivedSignals::note_more();
  return true;
}

bool Timers::look() {
  const std::int64_t time = now();
  bool is_any = false;
  for (std::size_t i = 0; i < timers.size(); ++i)
    if (timers[i].deadline != 0 && timers[i].deadline <= time && timers[i].kind != Kind::kNone) is_any = go_off(static_cast<int>(i), time) || is_any;
  if (set_ != 0) count();
  return is_any;
}

bool Timers::let_first_go_off() {
  if (!are_set() || Outside::real_time) return false;
  Outside::virtual_time = std::max(Outside::virtual_time, earliest());
  look();
  return true;
}

bool Timers::take_signal(Signals::Signal& signal) {
  if (signals_due.empty()) return false;
  signal = signals_due.front();
  signals_due.erase(signals_due.begin());
  return true;
}

void Timers::forget() {
  timers.clear();
  signals_due.clear();
  calls_due.clear();
  helper = -1;
  helper_waits = false;
  is_asked_ = false;
  set_ = 0;
}

/// After a second, real time counts: a thread that only looks at a variable waits for the handler.
void Timers::note_idle(double seconds) {
  if (!are_set() || is_asked_) return;
  is_asked_ = Outside::real_time ? now() >= first_ : seconds >= 1 && seconds * static_cast<double>(kSecond) >= static_cast<double>(first_ - Outside::virtual_time);
}

void Timers::answer() {
  is_asked_ = false;
  if (!let_first_go_off()) look();
}

void Timers::give_to_system() {
  if (timers.empty()) return;
  const Setting setting = setting_of(kOfProcess);
  const auto time = [](std::int64_t nanoseconds) { return timeval{nanoseconds / kSecond, (nanoseconds % kSecond + 999) / 1000 % 1'000'000}; };
  const itimerval given{time(setting.interval), time(setting.in)};
  syscall(SYS_setitimer, ITIMER_REAL, &given, nullptr);
}
void Timers::take_from_system() {
  const itimerval none{};
  syscall(SYS_setitimer, ITIMER_REAL, &none, nullptr);
}

}  // namespace ordeal::runtime
