#!/usr/bin/env bash
# Random testing of programs that fork: the new process has the calling thread only, runs on as in real life, and is no part of the test.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/programs.bash"
makes_processes() { sampled && has result 'because the program starts other processes' && has result 'what the new processes do is not tested'; }

# Ends of a process, as its parent sees them: POSIX, "Process Termination" and exec. Other threads go on meanwhile, and some hold locks at the fork.
cat >ends.cpp <<'END2'
#include <atomic>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
std::mutex mutex;
int guarded = 0;
std::atomic<bool> is_over{false};
struct AtExit {
  ~AtExit() { std::fputs("destroyed ", stdout); }
} at_exit;

int status_of(pid_t child) {
  int status = 0;
  assert(waitpid(child, &status, 0) == child);
  return status;
}
/// The end of a process that does this, and what it printed.
template <class Do>
int status_of(Do&& act, std::string* printed = nullptr) {
  int files[2];
  assert(pipe(files) == 0);
  const pid_t child = fork();
  assert(child >= 0);
  if (child == 0) {
    dup2(files[1], 1);
    close(files[0]);
    close(files[1]);
    act();
    _exit(99);
  }
  close(files[1]);
  char text[200];
  for (ssize_t n; (n = read(files[0], text, sizeof text)) > 0;)
    if (printed != nullptr) printed->append(text, static_cast<std::size_t>(n));
  close(files[0]);
  return status_of(child);
}

void fork_in_all_ways() {
  std::string printed;
  int status = status_of([] { _exit(7); }, &printed);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 7 && printed.empty());
  status = status_of([] { std::printf("said "); std::exit(8); }, &printed);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 8 && printed == "said destroyed ");
  printed.clear();
  status = status_of([] { std::printf("said "); std::fflush(stdout); std::printf("lost"); std::quick_exit(9); }, &printed);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 9 && printed == "said ");
  status = status_of([] { std::abort(); });
  assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  status = status_of([] { assert(guarded < 0); });
  assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  status = status_of([]() noexcept { throw std::runtime_error("nobody catches it"); });
  assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  status = status_of([] { *reinterpret_cast<volatile int*>(guarded & 1) = 1; });
  assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
  status = status_of([] { std::raise(SIGTERM); });
  assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  status = status_of([] { kill(getpid(), SIGKILL); });
  assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  printed.clear();
  status = status_of([] { execl("/bin/sh", "sh", "-c", "printf '%s %s' \"$0\" \"$1\"; exit 5", "one", "two", nullptr); }, &printed);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 5 && printed == "one two");
  printed.clear();
  status = status_of([] { char* const environment[] = {const_cast<char*>("A=b"), nullptr}; execle("/bin/sh", "sh", "-c", "printf %s \"$A\"", nullptr, environment); }, &printed);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 0 && printed == "b");
  status = status_of([] { execlp("no-such-program", "no-such-program", nullptr); _exit(errno == ENOENT ? 3 : 4); });
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
  // A signal that is ignored stays so in what is executed, one with a handler does not; blocked ones stay blocked.
  status = status_of([] { std::signal(SIGTERM, SIG_IGN); std::signal(SIGUSR1, [](int) {}); execl("/bin/sh", "sh", "-c", "kill -TERM $$; kill -USR1 $$; exit 1", nullptr); });
  assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGUSR1);
  // From another process.
  const pid_t child = fork();
  if (child == 0)
    for (;;) pause();
  assert(kill(child, SIGTERM) == 0);
  siginfo_t info{};
  assert(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) == 0 && info.si_pid == child && info.si_status == SIGTERM);
  status = status_of(child);
  assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  const pid_t fast = vfork();
  if (fast == 0) {
    execlp("true", "true", nullptr);
    _exit(1);
  }
  assert(status_of(fast) == 0);
}

int main() {
  std::thread other([] {
    while (!is_over.load(std::memory_order_relaxed)) {
      const std::lock_guard lock(mutex);
      ++guarded;
    }
  });
  std::thread forking(fork_in_all_ways);  // also in a thread that is not the first
  fork_in_all_ways();
  forking.join();
  is_over = true;
  other.join();
  fork_in_all_ways();
}
END2
build ends
tests ends executions=6 && makes_processes
tests ends executions=2:isolate=0 && sampled

# Its memory is a copy as it is at the fork, of all threads; the thread's number, its thread-local variables and the locks that it holds are its own. It may
# create threads, which find each other's races by themselves, and fork again. What it does is not told: no race, no leak of a bug into the result.
cat >inside.cpp <<'END2'
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>
std::mutex mutex;
std::condition_variable changed;
int turn = 0, racy = 0;
std::atomic<int> counter{0};
thread_local int own = 0;
std::vector<int> handled;
void note(int what) {
  if (handled.size() < 4) handled.push_back(what);
}

void wait_for(pid_t child) {
  int status = 1;
  assert(waitpid(child, &status, 0) == child);
  assert(status == 0);
}
void work_with_threads() {
  int of_main = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 20; ++i)
    threads.emplace_back([&, i] {
      ++racy;
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return turn == i; });
      ++turn;
      ++of_main;
      changed.notify_all();
    });
  for (std::thread& thread : threads) thread.join();
  assert(of_main == 20);
}
void fork_here(int depth, const int& of_caller) {
  own = depth;
  const std::thread::id id = std::this_thread::get_id();
  const pid_t parent = getpid();
  std::unique_lock lock(mutex);
  const int seen = turn;
  const pid_t child = fork();
  assert(child >= 0);
  if (child == 0) {
    assert(own == depth && id == std::this_thread::get_id() && getpid() != parent && getppid() == parent);
    assert(turn == seen && of_caller == 42);
    turn = 0;
    lock.unlock();
    work_with_threads();
    if (depth > 0) fork_here(depth - 1, of_caller);
    _exit(0);
  }
  lock.unlock();
  wait_for(child);
}
int main() {
  pthread_atfork([] { note(1); }, [] { note(2); }, [] { note(3); });
  pthread_atfork([] { note(10); }, [] { note(20); }, [] { note(30); });
  const pid_t first = fork();
  if (first == 0) _exit(handled == std::vector<int>{10, 1, 3, 30} ? 0 : 1);
  wait_for(first);
  assert((handled == std::vector<int>{10, 1, 2, 20}));
  pid_t many[40];
  for (pid_t& each : many)
    if ((each = fork()) == 0) _exit(0);
  for (const pid_t each : many) wait_for(each);
  const int local = 42;
  std::thread counting([] { for (int i = 0; i < 200; ++i) counter.fetch_add(1, std::memory_order_relaxed); });
  std::thread waiting([] {
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return turn == -1; });
  });
  std::thread forking([&] { fork_here(2, local); });
  forking.join();
  counting.join();
  assert(counter.load() == 200);
  mutex.lock();
  turn = -1;
  mutex.unlock();
  changed.notify_all();
  waiting.join();
}
END2
build inside
tests inside executions=10 && makes_processes
has_not result 'bug '
has result 'threads 4'

# What is told between threads through a process orders them: here through a pipe that the new process writes.
cat >told.cpp <<'END2'
#include <cassert>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
int before = 0;
int main() {
  int files[2];
  if (pipe(files) != 0) return 1;
  std::thread reading([&] {
    char byte;
    assert(read(files[0], &byte, 1) == 1);
    assert(before == 1);
  });
  std::thread forking([&] {
    before = 1;
    const pid_t child = fork();
    if (child == 0) _exit(write(files[1], "x", 1) == 1 ? 0 : 1);
    int status = 1;
    assert(waitpid(child, &status, 0) == child && status == 0);
  });
  reading.join();
  forking.join();
}
END2
build told
tests told executions=30 && makes_processes

# A bug of the process that is tested is found as ever, and its stacks, although it forks again when it is run again.
cat >bug.cpp <<'END2'
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
int racy = 0;
int main() {
  std::thread other([] { racy = 1; });
  const pid_t child = fork();
  if (child == 0) _exit(0);
  racy = 2;
  other.join();
  return waitpid(child, nullptr, 0) == child ? 0 : 1;
}
END2
build bug
tests bug executions=20
finds data-race

# What the new process cannot do is told by name; what is wrong there ends it, and a note says so.
cat >wrong.cpp <<'END2'
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
std::mutex mutex;
int main(int, char** arguments) {
  std::thread([] {}).join();
  const char* what = arguments[1];
  if (std::strcmp(what, "exec") == 0) execlp("true", "true", nullptr);
  if (std::strcmp(what, "lock") == 0) mutex.lock();
  pid_t child = 0;
  std::thread([&] {
    child = fork();
    if (child != 0) return;
    if (std::strcmp(what, "group") == 0) killpg(getpgrp(), 0);
    if (std::strcmp(what, "lock") == 0) mutex.lock();
    if (std::strcmp(what, "free") == 0) {
      int* block = new int(1);
      delete block;
      _exit(*static_cast<volatile int*>(block) & 0);
    }
    if (std::strcmp(what, "stay") == 0) {
      signal(SIGTERM, SIG_IGN);
      if (fork() == 0) setsid();
      for (;;) sleep(1000);
    }
    _exit(0);
  }).join();
  if (std::strcmp(what, "stay") == 0) _exit(0);
  int status = 0;
  waitpid(child, &status, 0);
  if (std::strcmp(what, "lock") == 0 && !(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT)) std::abort();
}
END2
build wrong
tests wrong executions=3 group
has result 'verdict cannot-check' && has result 'killpg is not supported, in a process that the program forked'
tests wrong executions=3 exec
has result 'verdict cannot-check' && has result 'execvp in the process that is tested is not supported'
tests wrong executions=3 lock && makes_processes && has result 'a process that the program forked was ended: its threads would wait for ever'
tests wrong executions=3 free && makes_processes && has result 'a process that the program forked was ended: use-after-free'
# Processes that stay when the execution is over are ended: nothing is left behind.
cp wrong "stays$$"
tests "stays$$" executions=3 stay && makes_processes
! pgrep -f "stays$$" >/dev/null || fail "a process was left behind"
# Not so who was there before: the shell's, which has become this process.
status=0
ORDEAL_OPTIONS=mode=test:executions=3 timeout 120 bash -c 'sleep 300 & echo $! >other; exec ./"$@"' - "stays$$" stay >stdout 2>stderr || status=$?
exits 0
kill "$(<other)" || fail "a process that is not the program's was ended"

# A daemon is tested in the process that becomes one.
cat >daemon.cpp <<'END2'
#include <cassert>
#include <filesystem>
#include <thread>
#include <unistd.h>
int racy = 0;
int main() {
  assert(daemon(0, 0) == 0);
  assert(std::filesystem::current_path() == "/");
  std::thread other([] { racy = 1; });
  racy = 2;
  other.join();
}
END2
build daemon
tests daemon executions=20
finds data-race
