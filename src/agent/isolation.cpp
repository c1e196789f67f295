#include "agent/isolation.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "runtime/watchdog.h"

namespace ordeal::agent {
namespace {

constexpr int kFirstOwnFile = 200;  // the program's files have lower numbers

double now() {
  timespec time{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

int make_file() {
  const int file = memfd_create("ordeal-execution", MFD_CLOEXEC);
  const int moved = fcntl(file, F_DUPFD_CLOEXEC, kFirstOwnFile);
  close(file);
  return moved;
}

/// What the program had not yet written goes where it should, as at the end of a process.
[[noreturn]] void end(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = write(file, text.data() + done, text.size() - done);
    if (written <= 0) break;
    done += static_cast<std::size_t>(written);
  }
  std::fflush(nullptr);
  syscall(SYS_exit_group, 0);
  __builtin_trap();
}

/// Waits for the end of a child. Ctrl-C reaches the child by itself; an interrupt that was sent to this process alone is passed on.
int wait_for(pid_t child, double deadline) {
  constexpr double kPatience = 0.3;  // seconds for a child that was interrupted, too
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  double interrupted_since = 0;
  bool is_told = false;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    pollfd end{handle, POLLIN, 0};
    const timespec a_while{0, handle >= 0 ? 100'000'000 : 1'000'000};
    syscall(SYS_ppoll, &end, handle >= 0 ? 1 : 0, &a_while, nullptr, 0);
    if (runtime::Watchdog::over() == runtime::Watchdog::Over::kInterrupt && interrupted_since == 0) interrupted_since = now();
    if (interrupted_since > 0 && !is_told && now() > interrupted_since + kPatience) is_told = kill(child, SIGINT) == 0;
    if (deadline > 0 && now() > deadline) kill(child, SIGKILL);
  }
  if (handle >= 0) close(handle);
  return status;
}

/// Processes that have this one for a parent, but for those of `others`.
std::vector<pid_t> children_but(const std::vector<pid_t>& others) {
  const std::string list = "/proc/self/task/" + std::to_string(syscall(SYS_gettid)) + "/children";
  std::vector<pid_t> found;
  std::FILE* file = std::fopen(list.c_str(), "re");
  if (file == nullptr) return found;
  for (int number = 0; std::fscanf(file, "%d", &number) == 1;)
    if (std::find(others.begin(), others.end(), number) == others.end()) found.push_back(number);
  std::fclose(file);
  return found;
}

/// What the execution started and did not wait for comes to this process when it has ended (a subreaper adopts it), and may end by itself; what does not
/// is ended. So none is there in the next execution. Who was there before is somebody else's: a shell may have started it, and then become this process.
void end_adopted(const std::vector<pid_t>& before) {
  constexpr double kPatience = 0.1;  // seconds
  const double since = now();
  for (std::vector<pid_t> left = children_but(before); !left.empty(); left = children_but(before)) {
    const bool is_late = now() > since + kPatience;
    for (const pid_t process : left) {
      if (is_late) kill(process, SIGKILL);
      waitpid(process, nullptr, is_late ? 0 : WNOHANG);
    }
    const timespec a_little{0, 1'000'000};
    syscall(SYS_nanosleep, &a_little, nullptr);
  }
}

std::string read_all(int file) {
  std::string text(static_cast<std::size_t>(lseek(file, 0, SEEK_END)), 0);
  const ssize_t got = pread(file, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

}  // namespace

Isolation::Outcome Isolation::run(std::string (*run)(void* data), void* data, double seconds) {
  Outcome outcome;
  const int file = make_file();
  std::fflush(nullptr);
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  const std::vector<pid_t> before = children_but({});
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // whatever ends the test: the program may have handlers for all other signals
    end(file, run(data));
  }
  outcome.is_started = child > 0;
  const int status = child > 0 ? wait_for(child, seconds > 0 ? now() + seconds : 0) : 0;
  end_adopted(before);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  else outcome.text = read_all(file);
  close(file);
  return outcome;
}

}  // namespace ordeal::agent
