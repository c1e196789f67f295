#include "tools/output_files.h"

#include <iostream>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "report/check_report.h"
#include "report/dot.h"
#include "report/headline.h"
#include "tools/exit_code.h"
#include "tools/source_names.h"
#include "trace/run_result_format.h"

namespace ordeal::tools {
namespace {

constexpr std::size_t kMostGraphs = 200;

report::JUnitCase case_of(const trace::RunResult& result, report::SourceNames& names, const ReportOptions& options) {
  report::CheckOptions plain;
  plain.program = options.test.empty() ? options.program : options.test;
  plain.replays = options.replay_files;
  report::JUnitCase shown = report::junit_case(result, names, plain);
  if (!options.test.empty()) shown.group = options.program;
  return shown;
}

/// Does it; if that fails, says so and gives kUsage.
int written(const std::string& file, const std::string& text, const std::string& what, int exit_code) {
  if (file.empty()) return exit_code;
  try {
    write_file(file, text, what);
  } catch (const std::runtime_error& error) {
    std::cerr << "ordeal: " << error.what() << "\n";
    return kUsage;
  }
  return exit_code;
}

}  // namespace

OutputFiles::OutputFiles(OutputNames files, const std::string& suite)
    : files_(std::move(files)), suite_(suite), page_(files_.html, suite), sarif_(ORDEAL_VERSION) {}

void OutputFiles::add(const trace::RunResult& result, const ReportOptions& options, const std::string& type) {
  page_.add(result, options);
  if (files_.sarif.empty() && files_.junit.empty() && files_.dot.empty()) return;
  const auto names = source_names(result.modules);
  if (!files_.sarif.empty()) sarif_.add(result, *names, options.test.empty() ? options.program : options.test, options.replay_files);
  if (!files_.junit.empty()) {
    add(case_of(result, *names, options));
    if (!type.empty()) cases_.back().type = type;
  }
  if (files_.dot.empty()) return;
  const std::string prefix = options.test.empty() ? "" : options.test + ": ";
  for (const trace::Bug& bug : result.bugs) add_graph(bug, *names, prefix + report::headline(report::BugView(bug, *names)));
  for (const trace::Trace& trace : result.not_sc) {
    trace::Bug holder;  // what looks names up takes a bug
    holder.trace = trace;
    add_graph(holder, *names, prefix + "the first execution that no interleaving of the threads explains");
  }
  for (std::size_t i = 0; i < result.shown.size(); ++i) {
    trace::Bug holder;
    holder.trace = result.shown[i];
    add_graph(holder, *names, fmt::format("{}execution {}", prefix, i + 1));
  }
}

void OutputFiles::add(const trace::Trace& trace, const std::string& title, const std::string& file) {
  page_.add(trace, title, file);
  if (files_.dot.empty()) return;
  trace::Bug holder;
  holder.trace = trace;
  report::NoNames names;
  add_graph(holder, names, title);
}

void OutputFiles::add_graph(const trace::Bug& bug, report::SourceNames& names, const std::string& title) {
  if (bug.trace.events.empty()) return;
  if (graphs_ == kMostGraphs) {
    ++left_out_;
    return;
  }
  ++graphs_;
  dot_ += report::dot(report::BugView(bug, names), title);
}

std::string OutputFiles::graphs() const {
  return left_out_ == 0 ? dot_ : fmt::format("// The first {} executions; {} more are left out.\n{}", graphs_, left_out_, dot_);
}

int OutputFiles::write(int exit_code, const std::string& advice) const {
  exit_code = page_.write(exit_code, advice);
  if (!files_.sarif.empty()) exit_code = written(files_.sarif, sarif_.text(), "the SARIF file", exit_code);
  exit_code = written(files_.junit, report::junit(suite_, cases_), "the JUnit file", exit_code);
  if (!files_.dot.empty() && graphs_ == 0) std::cerr << fmt::format("ordeal: no graph was written to '{}': {}\n", files_.dot, advice);
  else exit_code = written(files_.dot, graphs(), "the graph", exit_code);
  return exit_code;
}

int write_outputs(const trace::RunResult& result, const ReportOptions& options, int exit_code) {
  OutputFiles files(options.files, options.program);
  files.add(result, options);
  report::CheckOptions plain;
  plain.program = options.program;
  if (files.page().is_wanted()) files.page().set_summary(std::string(trace::word(result.verdict)), result.model, report::verdict_text(result, *source_names(result.modules), plain));
  return files.write(exit_code, !result.bugs.empty()      ? "the execution has no events"
                                : !result.strategy.empty() ? "there is no bug to show"
                                                           : "there is no bug to show; with --show every execution is shown");
}

int write_failure(const ReportOptions& options, const std::string& type, const std::string& why, int exit_code) {
  ReportOptions told = options;
  told.files.html.clear();  // there is no execution to show
  told.files.dot.clear();
  OutputFiles files(told.files, told.program);
  trace::RunResult result;
  result.verdict = trace::Verdict::kCannotCheck;
  result.cannot_check = why;
  files.add(result, told, type);
  return files.write(exit_code, "");
}

}  // namespace ordeal::tools
