// The files that --html, --sarif, --junit and --dot write: one each for a run, or for all runs of a command (tests of a framework, several
// litmus tests).
#pragma once

#include <string>
#include <vector>

#include "report/junit.h"
#include "report/sarif.h"
#include "tools/page_file.h"
#include "tools/run_report.h"
#include "trace/run_result.h"

namespace ordeal::tools {

class OutputFiles {
 public:
  /// `suite` is what was run, as the user calls it.
  OutputFiles(OutputNames files, const std::string& suite);

  /// Whether `add` of a trace does anything.
  bool want_executions() const { return page_.is_wanted() || !files_.dot.empty(); }
  /// `type` is that of the error in JUnit; empty: the verdict.
  void add(const trace::RunResult& result, const ReportOptions& options, const std::string& type = "");
  /// An execution without a bug; `file` is what its lines are of.
  void add(const trace::Trace& trace, const std::string& title, const std::string& file);
  void add(report::JUnitCase shown) { cases_.push_back(std::move(shown)); }
  PageFile& page() { return page_; }
  report::Sarif& sarif() { return sarif_; }
  bool want_sarif() const { return !files_.sarif.empty(); }

  /// Writes them, and says on standard error what there is none of, or why it cannot be written. Gives the exit code: kUsage if one could
  /// not be written, else `exit_code`. `advice` is what would make an execution to show.
  int write(int exit_code, const std::string& advice) const;

 private:
  void add_graph(const trace::Bug& bug, report::SourceNames& names, const std::string& title);
  std::string graphs() const;

  OutputNames files_;
  std::string suite_;
  PageFile page_;
  report::Sarif sarif_;
  std::vector<report::JUnitCase> cases_;
  std::string dot_;
  std::size_t graphs_ = 0, left_out_ = 0;
};

/// The files of one result.
int write_outputs(const trace::RunResult& result, const ReportOptions& options, int exit_code);
/// Of what could not be run: SARIF and JUnit say why. `type` is "compile-error", or empty.
int write_failure(const ReportOptions& options, const std::string& type, const std::string& why, int exit_code);

}  // namespace ordeal::tools
