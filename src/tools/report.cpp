#include "tools/report.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "tools/check_options.h"
#include "tools/exit_code.h"
#include "tools/output_files.h"
#include "tools/run_report.h"

namespace ordeal::tools {
namespace {

/// Relative if it is below the current folder.
std::string shown_path(const std::string& path) {
  std::error_code ignored;
  const std::string here = std::filesystem::current_path(ignored).string() + "/";
  return path.starts_with(here) ? "./" + path.substr(here.size()) : path;
}

}  // namespace

void add_report_verb(CLI::App& app, int& exit_code) {
  struct Request {
    std::string file;
    ReportOptions report;
  };
  auto request = std::make_shared<Request>();
  CLI::App* verb =
      app.add_subcommand("report", "Prints the report of a replay file, without running it")->group("Verbs");
  verb->add_option("FILE", request->file, "What 'ordeal check' or 'ordeal test' wrote when it found a bug")->required();
  add_report_options(*verb, request->report);
  add_sc_of_bugs(*verb, request->report);
  verb->callback([request, &exit_code] {
    trace::RunResult result = any_result_in(request->file, read_file(request->file));
    if (!result.modules.empty()) request->report.program = shown_path(result.modules.front().path);
    note_newer_sources(result);
    count_interleavings(result, request->report);
    print_report(result, request->report);
    if (!result.bugs.empty()) request->report.replay_files = {request->file};
    exit_code = write_outputs(result, request->report, judge_interleavings(result, request->report, kFine));
  });
}

}  // namespace ordeal::tools
