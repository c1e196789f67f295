// Starting other programs and waiting for them. Ctrl-C is theirs: meanwhile this process ignores it, so that it can clean up
// and read what they leave behind.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ordeal::tools {

struct ChildOptions {
  std::vector<std::pair<std::string, std::string>> environment;  // set in addition
  bool quiet_input = false;                                      // standard input is /dev/null
  bool dies_with_us = false;                                     // it is killed when this process ends
  bool at_fixed_addresses = false;                               // in every run the same ones
  int output = -1;                                               // where standard output goes; standard error is dropped then
  std::vector<int> keep_open;                                    // file descriptors that the child gets, with the same numbers
};

/// How a child ended.
struct ChildEnd {
  int exit_code = 0;        // if it exited
  int signal = 0;           // if a signal ended it
  std::string not_started;  // why, if it could not be started
  bool is_fine() const { return exit_code == 0 && signal == 0 && not_started.empty(); }
};

class Child {
 public:
  /// Starts it; a program without a slash is searched in $PATH.
  Child(const std::vector<std::string>& command, const ChildOptions& options);
  Child(Child&& other) noexcept : pid_(std::exchange(other.pid_, -1)), end_(other.end_) {}
  Child& operator=(Child&&) = delete;
  ~Child();
  ChildEnd wait();

 private:
  int pid_ = -1;
  ChildEnd end_;
};

/// SIGINT and SIGQUIT do not end this process while an object of this class lives; children get what was set before. Those that are
/// sent to this process alone are passed on to the child that is waited for.
class IgnoreInterrupts {
 public:
  IgnoreInterrupts();
  ~IgnoreInterrupts();
  IgnoreInterrupts(const IgnoreInterrupts&) = delete;
  IgnoreInterrupts& operator=(const IgnoreInterrupts&) = delete;
};

/// Starts, waits.
ChildEnd run_child(const std::vector<std::string>& command, const ChildOptions& options = {});

/// "was killed by signal 9 (Killed)", "ended with exit code 3", "could not be started: …"
std::string describe(const ChildEnd& end);

/// What it prints on standard output; empty if it fails. Its complaints are dropped.
std::string output_of_program(const std::vector<std::string>& command);

/// The path of a program, searched in $PATH as a shell does; the name itself if it is not found.
std::string find_program(const std::string& name);

/// A folder that is removed with all it has at the end. In $TMPDIR, or /tmp.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace ordeal::tools
