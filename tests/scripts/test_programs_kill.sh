#!/usr/bin/env bash
# Random testing of programs whose threads send signals to each other: each has a mask of its own, and handlers run in the thread that is meant, wherever it waits.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/programs.bash"

# POSIX, 2.4.1: a mask for each thread, inherited by those that it creates; a signal for the process goes to a thread that does not block it, one for a thread stays
# pending there. sigaction: the signal, and what sa_mask names, is blocked while the handler runs, unless SA_NODEFER. sigqueue brings a value.
cat >masks.cpp <<'END2'
#include <atomic>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <pthread.h>
#include <thread>
#include <unistd.h>
std::atomic<pthread_t> handler_thread{};
std::atomic<int> runs{0}, value{0}, depth{0}, deepest{0};
int shared = 0;
bool is_blocked(int signal) {
  sigset_t mask;
  assert(pthread_sigmask(SIG_BLOCK, nullptr, &mask) == 0);
  return sigismember(&mask, signal) == 1;
}
bool is_pending(int signal) {
  sigset_t set;
  assert(sigpending(&set) == 0);
  return sigismember(&set, signal) == 1;
}
void change(int how, int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  assert(pthread_sigmask(how, &set, nullptr) == 0);
}
void handle(int signal, siginfo_t* info, void*) {
  handler_thread = pthread_self();
  if (info->si_code == SI_QUEUE) value += info->si_value.sival_int;
  const int now = ++depth;
  if (now > deepest) deepest = now;
  if (++runs == 1 && signal == SIGUSR2) raise(SIGUSR2);
  --depth;
}
void set(int signal, int flags, int also_blocked = 0) {
  struct sigaction action {};
  action.sa_sigaction = handle;
  action.sa_flags = flags | SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  if (also_blocked != 0) sigaddset(&action.sa_mask, also_blocked);
  assert(sigaction(signal, &action, nullptr) == 0);
  runs = deepest = 0;
}
int main(int, char** arguments) {
  const bool is_racing = std::strcmp(arguments[1], "race") == 0;
  assert(!is_blocked(SIGUSR1));
  change(SIG_BLOCK, SIGUSR1);
  set(SIGUSR1, 0);
  std::atomic<bool> is_open{false};
  std::thread taker([&] {
    assert(is_blocked(SIGUSR1));
    change(SIG_UNBLOCK, SIGUSR1);
    is_open = true;
    while (runs == 0) std::this_thread::yield();
    assert(pthread_equal(handler_thread, pthread_self()) != 0);
    if (is_racing) shared = 1;
  });
  while (!is_open) std::this_thread::yield();
  assert(is_blocked(SIGUSR1));
  if (is_racing) shared = 2;
  assert(kill(getpid(), SIGUSR1) == 0);
  if (is_racing) shared = 3;
  taker.join();
  assert(runs == 1);
  // For one thread: others do not have it pending.
  assert(pthread_kill(pthread_self(), SIGUSR1) == 0 && is_pending(SIGUSR1) && !is_pending(SIGUSR2));
  std::thread([] { assert(!is_pending(SIGUSR1)); }).join();
  change(SIG_UNBLOCK, SIGUSR1);
  assert(runs == 2 && !is_pending(SIGUSR1));
  // Blocked while it is handled, and handled once more then.
  set(SIGUSR2, 0);
  raise(SIGUSR2);
  assert(runs == 2 && deepest == 1 && !is_blocked(SIGUSR2));
  set(SIGUSR2, SA_NODEFER);
  raise(SIGUSR2);
  assert(runs == 2 && deepest == 2);
  struct sigaction action {};
  action.sa_handler = [](int) { assert(is_blocked(SIGTERM) && is_blocked(SIGHUP)); };
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGTERM);
  sigaction(SIGHUP, &action, nullptr);
  raise(SIGHUP);
  assert(!is_blocked(SIGTERM) && !is_blocked(SIGHUP));
  // Ordinary signals do not queue, real-time signals do.
  set(SIGUSR1, 0);
  change(SIG_BLOCK, SIGUSR1);
  kill(getpid(), SIGUSR1);
  kill(getpid(), SIGUSR1);
  change(SIG_UNBLOCK, SIGUSR1);
  assert(runs == 1);
  set(SIGRTMIN, 0);
  change(SIG_BLOCK, SIGRTMIN);
  sigval sent;
  sent.sival_int = 5;
  assert(sigqueue(getpid(), SIGRTMIN, sent) == 0);
  sent.sival_int = 7;
  assert(pthread_sigqueue(pthread_self(), SIGRTMIN, sent) == 0 && is_pending(SIGRTMIN));
  change(SIG_UNBLOCK, SIGRTMIN);
  assert(runs == 2 && value == 5 + 7);
  // sigtimedwait takes one with its value, or gives up.
  change(SIG_BLOCK, SIGRTMIN);
  sigset_t some;
  sigemptyset(&some);
  sigaddset(&some, SIGRTMIN);
  const timespec second{1, 0}, nothing{0, 0};
  siginfo_t info{};
  assert(sigtimedwait(&some, &info, &nothing) == -1 && errno == EAGAIN);
  assert(sigtimedwait(&some, &info, &second) == -1 && errno == EAGAIN);
  sent.sival_int = 9;
  sigqueue(getpid(), SIGRTMIN, sent);
  assert(sigtimedwait(&some, &info, &second) == SIGRTMIN && info.si_value.sival_int == 9 && runs == 2);
  sigqueue(getpid(), SIGRTMIN, sent);
  assert(sigwaitinfo(&some, nullptr) == SIGRTMIN);
  assert(pthread_sigmask(77, &some, nullptr) == EINVAL && sigprocmask(77, &some, nullptr) == -1 && errno == EINVAL);
}
END2
build masks
tests masks executions=300 right && sampled
tests masks executions=300 race && finds data-race
tests masks executions=5:real_time=1 right && sampled

# The handler runs where the thread waits; then it waits on, but for calls that end with EINTR: sleeps always, sem_wait and read unless SA_RESTART.
cat >interrupted.cpp <<'END2'
#include <atomic>
#include <cassert>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <ctime>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <string>
#include <thread>
#include <unistd.h>
std::atomic<int> handled{0};
int plain = 0;
sem_t semaphore, posted_by_handler;
std::mutex mutex;
std::condition_variable condition;
bool is_ready = false;
pthread_barrier_t barrier;
int files[2];
std::atomic<int> flag{0};
std::atomic<bool> is_done{false};

void handle(int) {
  ++handled;
  plain = 1;
  sem_post(&posted_by_handler);
}
void wait_for_handler() {
  while (sem_wait(&posted_by_handler) != 0) assert(errno == EINTR);
}
int main(int, char** arguments) {
  const std::string what = arguments[1];
  struct sigaction action {};
  action.sa_handler = handle;
  action.sa_flags = what.find("restart") != std::string::npos ? SA_RESTART : 0;
  sigemptyset(&action.sa_mask);
  assert(sigaction(SIGUSR1, &action, nullptr) == 0);
  sem_init(&semaphore, 0, 0);
  sem_init(&posted_by_handler, 0, 0);
  pthread_barrier_init(&barrier, nullptr, 2);
  assert(pipe(files) == 0);
  std::thread ending([] {
    while (flag == 0) std::this_thread::yield();
  });
  std::unique_lock<std::mutex> held(mutex);
  std::thread target([&] {
    char byte = 0;
    if (what == "run" || what == "race") {
      while (handled == 0) std::this_thread::yield();
    } else if (what == "lock") {
      mutex.lock();
      assert(handled == 1);  // main unlocks it behind the handler
      mutex.unlock();
    } else if (what == "condition") {
      std::unique_lock<std::mutex> own(mutex);
      while (!is_ready) condition.wait(own);
      assert(handled == 1);
    } else if (what == "join") {
      ending.join();
      assert(handled == 1);
    } else if (what == "barrier") {
      pthread_barrier_wait(&barrier);
      assert(handled == 1);
    } else if (what == "atomic") {
      flag.wait(0);
      assert(handled == 1);
    } else if (what == "semaphore") {
      assert(sem_wait(&semaphore) == -1 && errno == EINTR && handled >= 1);
    } else if (what == "semaphore restart") {
      assert(sem_wait(&semaphore) == 0 && handled == 1);
    } else if (what == "read") {
      assert(read(files[0], &byte, 1) == -1 && errno == EINTR && handled >= 1);
    } else if (what == "read restart") {
      assert(read(files[0], &byte, 1) == 1 && byte == 'x' && handled == 1);
    } else if (what == "sleep restart") {
      timespec time{1000, 0}, left{-1, 0};
      while (nanosleep(&time, &left) == 0) left.tv_sec = -1;  // the signal may come between two of them
      assert(errno == EINTR && handled == 1 && left.tv_sec >= 0 && left.tv_sec <= 1000);
    }
    is_done = true;
  });
  assert(pthread_kill(target.native_handle(), SIGUSR1) == 0);
  if (what == "race") plain = 3;
  const bool must_end = what == "semaphore" || what == "read";
  while (must_end && !is_done) {  // one that comes before the call does not end it
    std::this_thread::yield();
    pthread_kill(target.native_handle(), SIGUSR1);
  }
  wait_for_handler();
  assert(must_end || handled == 1);
  is_ready = true;
  held.unlock();
  condition.notify_all();
  flag = 1;
  flag.notify_all();
  if (what == "barrier") pthread_barrier_wait(&barrier);
  if (what == "semaphore restart") sem_post(&semaphore);
  if (what == "read restart") assert(write(files[1], "x", 1) == 1);
  target.join();
  if (ending.joinable()) ending.join();
  assert(pthread_kill(pthread_self(), 0) == 0);
  assert(plain == 1);
}
END2
"$ordeal" c++ -std=c++20 -O1 -g -pthread interrupted.cpp -o interrupted
for what in run lock condition join barrier atomic semaphore "semaphore restart" read "read restart" "sleep restart"; do
  tests interrupted executions=100 "$what" && sampled
done
tests interrupted executions=3:real_time=1 "sleep restart" && sampled
tests interrupted executions=50 race && finds data-race

# What is wrong beyond doubt: a handler that waits for a lock of the thread that it interrupts, and a signal that nobody handles.
cat >wrong.cpp <<'END2'
#include <csignal>
#include <cstring>
#include <mutex>
#include <pthread.h>
#include <thread>
std::mutex mutex;
int main(int, char** arguments) {
  if (std::strcmp(arguments[1], "lock") == 0) signal(SIGUSR1, [](int) { std::lock_guard<std::mutex> guard(mutex); });
  std::thread target([] {
    for (int i = 0; i < 3; ++i) std::lock_guard<std::mutex> guard(mutex);
  });
  pthread_kill(target.native_handle(), SIGUSR1);
  target.join();
}
END2
build wrong
tests wrong executions=300 lock && finds deadlock
tests wrong executions=50 default && finds signal && has result SIGUSR1

# A jump out of a handler: sigsetjmp has kept the mask, and the next signal comes again; setjmp has not.
cat >jump.cpp <<'END2'
#include <cassert>
#include <csetjmp>
#include <csignal>
#include <thread>
sigjmp_buf keeps;
jmp_buf does_not;
void handle_keeping(int) { siglongjmp(keeps, 1); }
void handle(int) { longjmp(does_not, 1); }
bool is_blocked(int signal) {
  sigset_t mask;
  sigprocmask(SIG_BLOCK, nullptr, &mask);
  return sigismember(&mask, signal) == 1;
}
int main() {
  std::thread other([] {});
  signal(SIGUSR1, handle_keeping);
  static int i = 0;
  for (; i < 3; ++i) {
    if (sigsetjmp(keeps, 1) == 0) {
      raise(SIGUSR1);
      assert(false);
    }
    assert(!is_blocked(SIGUSR1));
  }
  signal(SIGUSR2, handle);
  if (setjmp(does_not) == 0) raise(SIGUSR2);
  assert(is_blocked(SIGUSR2));
  other.join();
}
END2
build jump
tests jump executions=50 && sampled
