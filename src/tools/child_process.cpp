#include "tools/child_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ordeal::tools {
namespace {

namespace fs = std::filesystem;

struct sigaction interrupt_before, quit_before;
bool interrupts_are_ignored = false;
constexpr unsigned long kAsk = 0xFFFFFFFF;  // personality() changes nothing
volatile std::sig_atomic_t waited_for = 0;  // a child's process id

/// Ctrl-C reaches the child by itself; a signal that was sent to this process alone does not.
void pass_on(int signal, siginfo_t* information, void*) {
  if (information->si_code == SI_USER && waited_for > 0) kill(waited_for, signal);
}

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& more) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    bool is_replaced = false;
    for (const auto& [name, value] : more) is_replaced |= text.starts_with(name + "=");
    if (!is_replaced) result.push_back(text);
  }
  for (const auto& [name, value] : more) result.push_back(name + "=" + value);
  return result;
}

/// In the child, between fork and exec: system calls only. Ends with errno in the pipe if something fails.
[[noreturn]] void become(char* const* arguments, char* const* environment, const ChildOptions& options,
                         int failure_pipe, pid_t parent) {
  if (options.dies_with_us) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);  // it had died before
  }
  if (options.at_fixed_addresses)
    if (const int current = personality(kAsk); current != -1) personality(static_cast<unsigned long>(current) | ADDR_NO_RANDOMIZE);
  if (interrupts_are_ignored) {
    sigaction(SIGINT, &interrupt_before, nullptr);
    sigaction(SIGQUIT, &quit_before, nullptr);
  }
  if (options.quiet_input) {
    const int null = open("/dev/null", O_RDONLY);
    if (null > 0) dup2(null, STDIN_FILENO);
    if (null > 2) close(null);
  }
  if (options.output >= 0) {
    dup2(options.output, STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
  }
  for (const int descriptor : options.keep_open) fcntl(descriptor, F_SETFD, 0);
  execve(arguments[0], arguments, environment);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(failure_pipe, &error, sizeof error);
  _exit(127);
}

}  // namespace

Child::Child(const std::vector<std::string>& command, const ChildOptions& options) {
  std::vector<std::string> words = command;
  words[0] = find_program(words[0]);
  const std::vector<char*> arguments = pointers_to(words);
  const std::vector<std::string> variables = environment_with(options.environment);
  const std::vector<char*> environment = pointers_to(variables);
  std::array<int, 2> failure{};
  if (pipe2(failure.data(), O_CLOEXEC) != 0)
    throw std::runtime_error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  const pid_t self = getpid();
  pid_ = fork();
  if (pid_ == 0) become(arguments.data(), environment.data(), options, failure[1], self);
  const int fork_error = errno;
  close(failure[1]);
  int error = 0;
  if (pid_ < 0)
    error = fork_error;
  else if (read(failure[0], &error, sizeof error) != sizeof error)
    error = 0;
  close(failure[0]);
  if (error != 0) end_.not_started = std::strerror(error);
}

Child::~Child() {
  if (pid_ > 0) wait();
}

ChildEnd Child::wait() {
  int status = 0;
  waited_for = pid_;
  while (pid_ > 0 && waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
  waited_for = 0;
  pid_ = -1;
  if (!end_.not_started.empty()) return end_;
  if (WIFSIGNALED(status))
    end_.signal = WTERMSIG(status);
  else
    end_.exit_code = WEXITSTATUS(status);
  return end_;
}

IgnoreInterrupts::IgnoreInterrupts() {
  struct sigaction ignore = {};
  ignore.sa_sigaction = pass_on;
  ignore.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGINT, &ignore, &interrupt_before);
  sigaction(SIGQUIT, &ignore, &quit_before);
  interrupts_are_ignored = true;
}

IgnoreInterrupts::~IgnoreInterrupts() {
  interrupts_are_ignored = false;
  sigaction(SIGINT, &interrupt_before, nullptr);
  sigaction(SIGQUIT, &quit_before, nullptr);
}

ChildEnd run_child(const std::vector<std::string>& command, const ChildOptions& options) {
  return Child(command, options).wait();
}

std::string describe(const ChildEnd& end) {
  if (!end.not_started.empty()) return "could not be started: " + end.not_started;
  if (end.signal != 0) return fmt::format("was killed by signal {} ({})", end.signal, strsignal(end.signal));
  return fmt::format("ended with exit code {}", end.exit_code);
}

std::string output_of_program(const std::vector<std::string>& command) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return "";
  std::vector<std::string> words = command;
  words[0] = find_program(words[0]);
  const std::vector<char*> arguments = pointers_to(words);
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(ends[1]);
  std::string output;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = read(ends[0], buffer.data(), buffer.size())) > 0;)
    output.append(buffer.data(), static_cast<std::size_t>(count));
  close(ends[0]);
  int status = 1;
  while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return pid > 0 && status == 0 ? output : "";
}

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    std::error_code error;
    if (access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate, error)) return candidate;
  }
  return name;
}

TemporaryDirectory::TemporaryDirectory() {
  const char* chosen = std::getenv("TMPDIR");
  path_ = std::string(chosen != nullptr && *chosen != '\0' ? chosen : "/tmp") + "/ordeal-XXXXXX";
  if (mkdtemp(path_.data()) == nullptr)
    throw std::runtime_error(fmt::format("cannot make a temporary folder {}: {}", path_, std::strerror(errno)));
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code error;
  fs::remove_all(path_, error);
}

}  // namespace ordeal::tools
