// What the user sees of a run: the report on standard output, the replay file, the exit code. `check` and `replay` share it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "trace/run_result.h"

namespace ordeal::tools {

/// The files that are written beside the report; an empty name: none is wanted.
struct OutputNames {
  std::string html;   // a page
  std::string sarif, junit, dot;
};

struct ReportOptions {
  bool json = false;
  bool quiet = false;  // one line
  bool full = false;   // long tables are not cut
  /// Of each execution with a bug: is it an interleaving? And what is counted: these, or all, which was done.
  enum class Sc : std::uint8_t { kNo, kOfReported, kBesideAll };
  Sc sc = Sc::kNo;
  bool require_sc = false;  // … if not, that is an exit code of its own
  std::string program; // as the user calls it
  std::string test;    // the one of its tests that was run; may be empty
  std::string color = "auto";
  OutputNames files;
  std::vector<std::string> replay_files;  // of each bug, as far as there are; may be empty
};

/// Counts, of the executions with a bug, those that are interleavings, if that is wanted.
void count_interleavings(trace::RunResult& result, const ReportOptions& options);
/// With --require-sc of what is reported: the exit code that follows; otherwise `exit_code`.
int judge_interleavings(const trace::RunResult& result, const ReportOptions& options, int exit_code);
/// Adds a note for each source file of the executions with a bug that is newer than the program: what is shown is the program as it was.
void note_newer_sources(trace::RunResult& result);
/// Whether somebody looks at executions without a bug, if there are such in the result.
bool shows_executions(const ReportOptions& options);
/// Prints it.
void print_report(const trace::RunResult& result, const ReportOptions& options);
/// What `--json` prints.
std::string json_report(const trace::RunResult& result, const ReportOptions& options);
/// Prints a text on standard output, now.
void print(const std::string& text);
/// "bug" in red and so on, if that is wanted.
std::string coloured_verdict(trace::Verdict verdict, const ReportOptions& options);

/// Writes a whole file; `what` is said of it if it cannot be written: "the page". Throws std::runtime_error.
void write_file(const std::string& name, const std::string& text, const std::string& what);
/// The contents of a file. Throws std::runtime_error.
std::string read_file(const std::string& name);
/// The result in a file's text, and one with a bug at least. Both throw std::runtime_error.
trace::RunResult any_result_in(const std::string& name, const std::string& text);
trace::RunResult result_in(const std::string& name, const std::string& text);

/// Writes the file that `ordeal replay` reads: the result with its first bug only. Gives its name. `chosen` is the name that
/// the user wants; if it is empty, ordeal-PROGRAM-KIND.replay or ordeal-PROGRAM-TEST-KIND.replay in the current folder (else in
/// $TMPDIR), with a number if there is one of another program, or one that is `taken`. Throws std::runtime_error.
std::string write_replay_file(trace::RunResult result, const std::string& program, const std::string& test, const std::string& chosen,
                              const std::set<std::string>& taken = {});

int exit_code_of(trace::Verdict verdict);

}  // namespace ordeal::tools
