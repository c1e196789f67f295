// One run of a program under Ordeal: starts it, waits, reads what the runtime inside of it found out. The result travels
// through a file in memory that the child inherits; a child that dies leaves no result, or half of one, and that is an error.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "trace/run_result.h"

namespace ordeal::tools {

/// The program was not checked to an end: it could not be started, was killed, or left a result that cannot be read.
struct NotChecked : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct CheckedRun {
  std::string program;  // path
  std::vector<std::string> arguments;
  std::string options;    // key=value:… for ORDEAL_OPTIONS
  std::string mode = "check";  // or test, replay
  std::string replay;     // the text of a replay file, for mode replay
  bool progress = false;  // the runtime may print progress on stderr
};

struct RunOutput {
  int exit_code = -1;  // -1: a signal ended it
  std::string text;    // on standard output
};
/// The program by itself, one execution; not for long.
RunOutput run_once(const std::string& program, const std::vector<std::string>& arguments);

/// Throws NotChecked.
trace::RunResult run_checked(const CheckedRun& run);

/// While an object of this class lives, each program is started once for all its runs (served_program.h).
class KeepPrograms {
 public:
  KeepPrograms();
  ~KeepPrograms();
  KeepPrograms(const KeepPrograms&) = delete;
  KeepPrograms& operator=(const KeepPrograms&) = delete;
};

/// This process becomes the debugger, which gets the program and its arguments at the end of its own; whatever it starts finds what
/// the run needs. Throws NotChecked.
[[noreturn]] void become_debugger(const std::vector<std::string>& debugger, const CheckedRun& run);

}  // namespace ordeal::tools
