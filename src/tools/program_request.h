// What `check` and `test` share: which program, how it is compiled and called, how its result is told.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "tools/compiler_arguments.h"
#include "tools/program_build.h"
#include "tools/run_report.h"
#include "trace/run_result.h"

namespace CLI {
class App;
}

namespace ordeal::tools {

struct ProgramRequest {
  Words files;
  Words compiler_flags;
  Words program_arguments;
  std::string compiler;
  std::string replay_file;
  std::string ignore_file;
  ReportOptions report;
};

/// Files, --compiler, --ignore, --output and the options of reports.
void add_program_options(CLI::App& verb, ProgramRequest& request);
void add_program_files(CLI::App& verb, ProgramRequest& request);
/// What stands at the end of --help, before the exit codes.
extern const char* const kArgumentsHelp;

/// The parts of `check FILES… [options] [-- compiler flags [-- program arguments]]`, and of `check [options] ./program
/// [arguments]`.
struct ProgramArguments {
  Words own;  // options and files
  Words compiler_flags;
  Words program_arguments;
};
/// `takes_value` tells whether the next word belongs to an option.
ProgramArguments split_arguments(const Words& words, const std::function<bool(const std::string&)>& takes_value);
/// If the command was called with this verb: takes what is meant for the compiler or for the program out of `words`, so that nothing
/// mistakes it for an option.
void take_arguments(const CLI::App& verb, Words& words, ProgramRequest& request);

/// Sources are compiled; a program is taken as it is. Throws CompileError, std::runtime_error; NotChecked if it cannot be checked.
BuiltProgram program_of(const ProgramRequest& request);
/// Runs it with these options (for ORDEAL_OPTIONS); again while races are on the ignore list. `mode`: check, test. Throws NotChecked.
trace::RunResult run_request(const ProgramRequest& request, const BuiltProgram& program, const Words& arguments, const std::string& mode, const std::string& options);
/// Does it, and gives its exit code; of what cannot be built or checked says why, in the files that are wanted, too.
int run_or_complain(const ProgramRequest& request, const std::function<int()>& run);

/// Writes replay files, and gives their names; empty: there is none.
class ReplayWriter {
 public:
  ReplayWriter(const ProgramRequest& request, const BuiltProgram& program) : program_(program), chosen_(request.replay_file) {}
  /// Of the first bug.
  std::string write(const trace::RunResult& result, const std::string& test);
  /// Of each bug.
  std::vector<std::string> write_all(const trace::RunResult& result);

 private:
  const BuiltProgram& program_;
  std::string chosen_;  // for the first file
  std::set<std::string> written_;
};

}  // namespace ordeal::tools
