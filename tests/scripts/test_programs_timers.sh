#!/usr/bin/env bash
# Random testing of programs with timers: alarm, setitimer, timer_create, timerfd. They go off when the program's clock reaches them.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/programs.bash"

# POSIX: alarm returns what was left, and 0 cancels; the signal ends pause and sleep, which returns what is left; setitimer goes off again and again.
cat >alarms.cpp <<'END2'
#include <atomic>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <mutex>
#include <semaphore.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>
volatile std::sig_atomic_t ticks = 0;
std::atomic<int> counted{0};
sem_t posted;
void handle(int) {
  ticks = ticks + 1;
  ++counted;
  sem_post(&posted);
}
std::int64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}
int main(int, char** arguments) {
  const int scale = std::strcmp(arguments[2], "real") == 0 ? 20 : 1000;  // milliseconds of a "second"
  const bool is_alone = std::strcmp(arguments[1], "alone") == 0;
  sem_init(&posted, 0, 0);
  struct sigaction action {};
  action.sa_handler = handle;
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, nullptr);
  std::atomic<bool> is_over{false};
  std::mutex mutex;
  std::thread other, blocked;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  mutex.lock();
  if (!is_alone) {
    sigprocmask(SIG_BLOCK, &set, nullptr);  // inherited: main is to get them
    other = std::thread([&] { for (int i = 0; i < 20; ++i) std::this_thread::yield(); });
    blocked = std::thread([&] { mutex.lock(); mutex.unlock(); });
    sigprocmask(SIG_UNBLOCK, &set, nullptr);
  }
  assert(alarm(100) == 0);
  const unsigned left = alarm(0);
  assert(left >= 99 && left <= 100);
  // One.
  itimerval value{};
  value.it_value.tv_sec = scale / 1000;
  value.it_value.tv_usec = scale % 1000 * 1000;
  const std::int64_t begun = now();
  assert(setitimer(ITIMER_REAL, &value, nullptr) == 0);
  assert(pause() == -1 && errno == EINTR && ticks == 1 && now() - begun >= scale - 1);
  assert(getitimer(ITIMER_REAL, &value) == 0 && value.it_value.tv_sec == 0 && value.it_value.tv_usec == 0);
  // It ends a sleep.
  if (scale == 1000) {
    alarm(2);
    assert(sleep(10) >= 7 && ticks == 2);
    alarm(2);
    timespec long_time{10, 0}, rest{};
    assert(nanosleep(&long_time, &rest) == -1 && errno == EINTR && rest.tv_sec >= 7 && rest.tv_sec <= 8);
    alarm(100);
    assert(sleep(10) == 0 && ticks == 3 && alarm(0) >= 89);
  } else {
    ticks = 3;
  }
  // Again and again, while main waits for a semaphore, which it ends, and goes round loops.
  while (sem_trywait(&posted) == 0) {
  }
  value.it_value.tv_usec = value.it_interval.tv_usec = 10000;
  value.it_value.tv_sec = 0;
  setitimer(ITIMER_REAL, &value, nullptr);
  for (int i = 0; i < 3;) {
    if (sem_wait(&posted) == 0) ++i;
    else assert(errno == EINTR);
  }
  const int seen = counted;
  while (counted < seen + 2) {
  }
  value = {};
  setitimer(ITIMER_REAL, &value, nullptr);
  const int last = ticks;
  assert(last >= 6);
  if (scale == 1000) sleep(10);
  assert(ticks == last);
  // Who reads a variable only.
  ticks = 0;
  value.it_value.tv_usec = 10000;
  setitimer(ITIMER_REAL, &value, nullptr);
  if (is_alone)
    while (ticks == 0) {
    }
  else
    while (ticks == 0) usleep(1000);
  mutex.unlock();
  if (!is_alone) other.join(), blocked.join();
}
END2
build alarms
tests alarms executions=100 together virtual && sampled
tests alarms executions=2 alone virtual && sampled
tests alarms executions=3:real_time=1 together real && sampled

# timer_create: by a signal with its value, by a thread of its own, or not at all. What came before timer_settime is known to both; nothing else is. A deadlock is one, though there
# is a helper that waits.
cat >timers.cpp <<'END2'
#include <atomic>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <string>
#include <thread>
#include <unistd.h>
std::mutex mutex;
std::condition_variable condition;
int runs = 0, plain = 0;
std::atomic<int> value{0};
std::string what;
pthread_t first;
void run(sigval given) {
  assert(pthread_equal(pthread_self(), first) == 0);
  if (what == "race") plain = 2;
  if (what == "thread") assert(plain == 1);
  std::lock_guard<std::mutex> guard(mutex);
  ++runs;
  value = given.sival_int;
  condition.notify_all();
}
void handle(int signal, siginfo_t* info, void*) {
  assert(signal == SIGRTMIN && info->si_code == SI_TIMER);
  value = info->si_value.sival_int;
}
int main(int, char** arguments) {
  what = arguments[1];
  first = pthread_self();
  sigevent event{};
  event.sigev_notify = what == "signal" ? SIGEV_SIGNAL : what == "none" ? SIGEV_NONE : SIGEV_THREAD;
  event.sigev_signo = SIGRTMIN;
  event.sigev_value.sival_int = 42;
  event.sigev_notify_function = run;
  struct sigaction action {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGRTMIN, &action, nullptr);
  timer_t timer;
  assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  itimerspec setting{}, left{};
  assert(timer_gettime(timer, &left) == 0 && left.it_value.tv_sec == 0 && left.it_value.tv_nsec == 0);
  setting.it_value = {what == "none" ? 1 : 0, what == "none" ? 0 : 500000000};
  plain = 1;
  if (what == "thread") setting.it_interval = {0, 100000000};
  assert(timer_settime(timer, 0, &setting, nullptr) == 0);
  if (what == "race") plain = 3;
  if (what == "none") {
    assert(timer_gettime(timer, &left) == 0 && left.it_value.tv_sec * 1000000000 + left.it_value.tv_nsec > 900000000 && left.it_value.tv_sec <= 1);
    sleep(2);
    assert(timer_gettime(timer, &left) == 0 && left.it_value.tv_sec == 0 && left.it_value.tv_nsec == 0);
  } else if (what == "signal") {
    while (value != 42) sleep(1);
    assert(timer_getoverrun(timer) == 0);
    // At a time of the clock.
    value = 0;
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    setting.it_value = {now.tv_sec + 5, now.tv_nsec};
    assert(timer_settime(timer, TIMER_ABSTIME, &setting, nullptr) == 0);
    assert(sleep(3) == 0 && value == 0);
    assert(sleep(3) > 0 && value == 42);
  } else {
    std::unique_lock<std::mutex> lock(mutex);
    while (runs < (what == "thread" ? 3 : 1)) condition.wait(lock);
    assert(value == 42);
  }
  assert(timer_delete(timer) == 0 && timer_gettime(timer, &left) == -1 && errno == EINVAL);
  if (what == "deadlock") mutex.lock(), mutex.lock();
}
END2
build timers
for what in signal none thread; do tests timers executions=200 "$what" && sampled; done
tests timers executions=200 race && finds data-race
tests timers executions=20 deadlock && finds deadlock
tests timers executions=3:real_time=1 thread && sampled

# timerfd: poll and read see it, how often it went off is counted, and times may be absolute ones of the program's clock.
cat >files.cpp <<'END2'
#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <poll.h>
#include <sys/timerfd.h>
#include <thread>
#include <unistd.h>
int main() {
  std::thread other([] { for (int i = 0; i < 20; ++i) std::this_thread::yield(); });
  const int file = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  assert(file >= 0);
  std::uint64_t times = 0;
  itimerspec setting{}, left{};
  setting.it_value = {3600, 0};
  setting.it_interval = {0, 500000000};
  assert(timerfd_settime(file, 0, &setting, nullptr) == 0);
  assert(read(file, &times, sizeof times) == -1 && errno == EAGAIN);
  assert(timerfd_gettime(file, &left) == 0 && left.it_value.tv_sec >= 3599 && left.it_interval.tv_nsec == 500000000);
  sleep(3601);  // at 3600, 3600.5 and 3601
  assert(read(file, &times, sizeof times) == sizeof times && times == 3);
  assert(read(file, &times, sizeof times) == -1 && errno == EAGAIN);
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  setting.it_value = {now.tv_sec, now.tv_nsec + 20000000};
  if (setting.it_value.tv_nsec >= 1000000000) setting.it_value.tv_sec += 1, setting.it_value.tv_nsec -= 1000000000;
  setting.it_interval = {};
  assert(timerfd_settime(file, TFD_TIMER_ABSTIME, &setting, nullptr) == 0);
  pollfd wanted{file, POLLIN, 0};
  assert(poll(&wanted, 1, -1) == 1 && read(file, &times, sizeof times) == sizeof times && times == 1);
  timespec later;
  clock_gettime(CLOCK_MONOTONIC, &later);
  assert((later.tv_sec - now.tv_sec) * 1000000000 + later.tv_nsec - now.tv_nsec >= 20000000);
  close(file);
  other.join();
}
END2
build files
tests files executions=20 && sampled

# What nobody handles, and who waits for ever beside a timer that never helps.
cat >wrong.cpp <<'END2'
#include <csignal>
#include <cstring>
#include <thread>
#include <unistd.h>
int shared = 0;
int main(int, char** arguments) {
  if (std::strcmp(arguments[1], "race") == 0) signal(SIGALRM, [](int) { shared = 1; });
  std::thread other([&] {
    if (std::strcmp(arguments[1], "race") != 0) return;
    sigset_t set;
    sigfillset(&set);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    shared = 2;
  });
  alarm(1);
  if (std::strcmp(arguments[1], "early") != 0) pause();
  other.join();
}
END2
build wrong
tests wrong executions=50 default && finds signal && has result SIGALRM && has result 'gets a signal that ends the program'
tests wrong executions=100 race && finds data-race
tests wrong executions=50 early && sampled
ORDEAL_OPTIONS=mode=check:result_fd=7 run ./wrong early 7>result
has result 'verdict cannot-check' && has result 'alarm is not supported'

# A child that never ends: the handler ends it. In the child an alarm is its own, and goes on in what it executes.
cat >child.cpp <<'END2'
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
pid_t child;
int main(int, char** arguments) {
  const char* what = arguments[1];
  std::thread other([] {});
  signal(SIGALRM, [](int) { kill(child, SIGKILL); });
  itimerval soon{};
  soon.it_value.tv_usec = 100000;
  if (std::strcmp(what, "kill") == 0) setitimer(ITIMER_REAL, &soon, nullptr);
  child = fork();
  assert(child >= 0);
  if (child == 0) {
    itimerval left{};
    assert(getitimer(ITIMER_REAL, &left) == 0 && left.it_value.tv_sec == 0 && left.it_value.tv_usec == 0);
    signal(SIGALRM, SIG_DFL);
    if (std::strcmp(what, "kill") != 0) setitimer(ITIMER_REAL, &soon, nullptr);
    if (std::strcmp(what, "exec") == 0) execlp("sleep", "sleep", "30", nullptr);
    for (;;) pause();
  }
  int status = 0;
  assert(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
  assert(WTERMSIG(status) == (std::strcmp(what, "kill") == 0 ? SIGKILL : SIGALRM));
  other.join();
}
END2
build child
for what in kill die exec; do tests child executions=3 "$what" && sampled; done
