#!/usr/bin/env bash
# Random testing of programs that get signals from the system: of pipes that nobody reads, of children, of other processes. And of programs that change their
# user and their limits.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/programs.bash"

# POSIX, write: EPIPE, and SIGPIPE for the thread that writes.
cat >pipes.cpp <<'END2'
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <unistd.h>
int handled = 0;
int main(int, char** arguments) {
  if (std::strcmp(arguments[1], "ignore") == 0) std::signal(SIGPIPE, SIG_IGN);
  if (std::strcmp(arguments[1], "handle") == 0) std::signal(SIGPIPE, [](int signal) { handled = signal; });
  int files[2];
  if (pipe(files) != 0) return 1;
  close(files[0]);
  std::thread writer([&] {
    errno = 0;
    assert(write(files[1], "x", 1) == -1);
    assert(errno == EPIPE);
    assert(handled == (std::strcmp(arguments[1], "handle") == 0 ? SIGPIPE : 0));
  });
  writer.join();
  assert(write(files[1], "x", 1) == -1 && errno == EPIPE);
  close(files[1]);
}
END2
build pipes
tests pipes executions=20 ignore && sampled
tests pipes executions=20 handle && sampled
tests pipes executions=20 default
finds signal
has result SIGPIPE
has result 'gets a signal that ends the program'
tests pipes executions=3:isolate=0 ignore && sampled
ORDEAL_OPTIONS=mode=check:result_fd=7 run ./pipes ignore 7>result
has result 'verdict verified'
# Not tested, it is an ordinary program.
run ./pipes ignore && exits 0
run ./pipes handle && exits 0

# A handler runs in a thread that waits, which then goes on waiting (SA_RESTART), or is told EINTR; those that wait for several files always are. Who waits for
# signals gets them. `alone`: there are no other threads.
cat >children.cpp <<'END2'
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
volatile std::sig_atomic_t handled = 0;
volatile pid_t told = 0;
void handle(int signal, siginfo_t* info, void*) {
  handled = signal;
  told = info->si_pid;
}
void set(int signal, int flags) {
  struct sigaction action {};
  action.sa_sigaction = &handle;
  action.sa_flags = flags | SA_SIGINFO;
  assert(sigaction(signal, &action, nullptr) == 0);
  handled = 0;
}
constexpr int kMilliseconds = 10;  // poll waits in real time
pid_t start(int signal, int file = -1) {
  const pid_t parent = getpid(), child = fork();
  assert(child >= 0);
  if (child != 0) return child;
  poll(nullptr, 0, kMilliseconds);
  if (signal != 0) kill(parent, signal);
  poll(nullptr, 0, kMilliseconds);
  if (file >= 0 && write(file, "x", 1) != 1) _exit(1);
  _exit(0);
}
void wait_for(pid_t child, int expected = 0) {
  int status = 1;
  pid_t result;
  while ((result = waitpid(child, &status, 0)) == -1 && errno == EINTR) {
  }
  assert(result == child && status == expected);
}
/// Sends it again and again: the first may come before the call that it is to interrupt.
pid_t start_sending(int signal) {
  const pid_t parent = getpid(), child = fork();
  assert(child >= 0);
  if (child != 0) return child;
  for (;;) {
    poll(nullptr, 0, kMilliseconds);
    kill(parent, signal);
  }
}
void end(pid_t child) {
  assert(kill(child, SIGKILL) == 0);
  wait_for(child, SIGKILL);
}
int main(int, char** arguments) {
  int files[2];
  assert(pipe(files) == 0);
  std::thread others[2];
  if (std::strcmp(arguments[1], "alone") != 0)
    for (std::thread& other : others) other = std::thread([] { for (int i = 0; i < 20; ++i) std::this_thread::yield(); });
  // A child has ended.
  set(SIGCHLD, 0);
  sigset_t none, some;
  sigemptyset(&none);
  sigemptyset(&some);
  sigaddset(&some, SIGCHLD);
  sigprocmask(SIG_BLOCK, &some, nullptr);
  pid_t child = start(0);
  while (handled == 0) assert(sigsuspend(&none) == -1 && errno == EINTR);
  assert(handled == SIGCHLD && told == child);
  wait_for(child);
  std::signal(SIGCHLD, SIG_DFL);
  sigprocmask(SIG_UNBLOCK, &some, nullptr);
  // Interrupted calls.
  char byte = 0;
  set(SIGUSR1, 0);
  child = start_sending(SIGUSR1);
  assert(read(files[0], &byte, 1) == -1 && errno == EINTR && handled == SIGUSR1 && told == child);
  end(child);
  for (int way = 0; way < 3; ++way) {
    set(SIGUSR1, SA_RESTART);
    child = start_sending(SIGUSR1);
    pollfd file{files[0], POLLIN, 0};
    fd_set set_of_files;
    FD_ZERO(&set_of_files);
    FD_SET(files[0], &set_of_files);
    epoll_event event{};
    const int events = epoll_create1(0);
    if (way == 0) assert(poll(&file, 1, -1) == -1);
    if (way == 1) assert(select(files[0] + 1, &set_of_files, nullptr, nullptr, nullptr) == -1);
    if (way == 2) assert(epoll_wait(events, &event, 1, -1) == -1);
    assert(errno == EINTR && handled == SIGUSR1);
    close(events);
    end(child);
  }
  // One that is not.
  set(SIGUSR2, SA_RESTART);
  child = start(SIGUSR2, files[1]);
  assert(read(files[0], &byte, 1) == 1 && handled == SIGUSR2);
  wait_for(child);
  // Blocked, and taken by who waits for it.
  sigemptyset(&some);
  sigaddset(&some, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &some, nullptr);
  child = start(SIGTERM);
  int taken = 0;
  assert(sigwait(&some, &taken) == 0 && taken == SIGTERM);
  wait_for(child);
  for (std::thread& other : others)
    if (other.joinable()) other.join();
}
END2
build children
tests children executions=5 alone && sampled
tests children executions=8 together && sampled

# libc would ask all threads that it knows of, by a signal that none of ours answers.
cat >user.cpp <<'END2'
#include <cassert>
#include <grp.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
int main() {
  std::thread other([] {});
  assert(setuid(getuid()) == 0 && setgid(getgid()) == 0 && seteuid(geteuid()) == 0 && setegid(getegid()) == 0);
  assert(setreuid(getuid(), geteuid()) == 0 && setregid(getgid(), getegid()) == 0 && setresuid(getuid(), getuid(), getuid()) == 0 && setresgid(getgid(), getgid(), getgid()) == 0);
  if (geteuid() == 0) {
    gid_t groups[2] = {0, 7};
    assert(setgroups(2, groups) == 0 && getgroups(0, nullptr) == 2);
    assert(initgroups("root", 0) == 0);
    assert(setegid(65534) == 0 && seteuid(65534) == 0 && geteuid() == 65534 && setuid(0) == 0);
  } else {
    assert(setuid(0) == -1);
  }
  rlimit limit{};
  assert(getrlimit(RLIMIT_NOFILE, &limit) == 0);
  limit.rlim_cur = 64;
  assert(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  other.join();
}
END2
build user
tests user executions=5 && sampled && has result 'process of its own, because the program changes its user'

# Who ends the test ends the execution, too, even if the program handles the signal.
cat >stubborn.cpp <<'END2'
#include <atomic>
#include <csignal>
#include <thread>
std::atomic<unsigned> counter{0};
int main() {
  std::signal(SIGTERM, [](int) {});
  std::thread other([] { for (;;) ++counter; });
  for (;;) ++counter;
}
END2
build stubborn
mv stubborn "stub$$"
status=0
ORDEAL_OPTIONS=mode=test:time=20:isolate=1 timeout 1 "./stub$$" >/dev/null 2>&1 || status=$?
[[ $status == 124 ]] || fail "it ended by itself: $status"
for _ in 1 2 3 4 5 6 7 8 9 10; do pgrep -f "stub$$" >/dev/null || break; sleep 0.2; done
! pgrep -f "stub$$" >/dev/null || fail "the execution was left behind"
