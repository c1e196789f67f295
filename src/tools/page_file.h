// What `--html FILE` writes: one page for a run, or for all runs of a command (tests of a framework, several litmus tests).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "report/page.h"
#include "tools/run_report.h"
#include "trace/run_result.h"

namespace ordeal::tools {

class PageFile {
 public:
  /// `file` empty: no page is wanted, and nothing happens.
  PageFile(std::string file, const std::string& program);
  bool is_wanted() const { return page_.has_value(); }

  void add(const trace::RunResult& result, const ReportOptions& options);
  void add(const trace::Trace& trace, const std::string& title, const std::string& file);
  void set_summary(const std::string& verdict, const std::string& model, const std::string& text);

  /// Writes it, or says on standard error why there is none. Gives the exit code: kUsage if it could not be written, else `exit_code`.
  /// `advice` is what would make an execution to show.
  int write(int exit_code, const std::string& advice) const;

 private:
  std::string file_;
  std::string program_file_;  // newer sources have changed since
  std::optional<report::Page> page_;
};

}  // namespace ordeal::tools
