#include "tools/replay.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "tools/check_options.h"
#include "tools/checked_run.h"
#include "tools/elf_file.h"
#include "tools/exit_code.h"
#include "tools/run_report.h"

namespace ordeal::tools {
namespace {

struct Request {
  std::string file;
  ReportOptions report;
};

int replay(const Request& request) {
  const std::string text = read_file(request.file);
  const trace::RunResult recorded = result_in(request.file, text);
  CheckedRun run;
  run.program = recorded.bugs.front().trace.program;
  if (!std::filesystem::exists(run.program))
    throw NotChecked(fmt::format(
        "the program '{}' is not there any more; 'ordeal check' builds it, and writes a new replay file", run.program));
  if (const std::string why = why_not_checkable(run.program); !why.empty()) throw NotChecked(why);
  run.arguments = recorded.arguments;
  run.options = fmt::format("{}", fmt::join(recorded.options, ":"));
  run.replay = text;
  trace::RunResult result = run_checked(run);
  if (result.verdict == trace::Verdict::kVerified || result.verdict == trace::Verdict::kBounded)
    throw NotChecked(fmt::format(
        "the bug of '{}' did not happen again: the program, or what it reads, has changed; run 'ordeal check' again",
        request.file));
  ReportOptions report = request.report;
  report.replay_file = request.file;
  report.program = std::filesystem::path(run.program).filename().string();
  print_report(result, report);
  return exit_code_of(result.verdict);
}

}  // namespace

void add_replay_verb(CLI::App& app, int& exit_code) {
  auto request = std::make_shared<Request>();
  CLI::App* verb = app.add_subcommand("replay", "Runs the execution of a replay file again")->group("Verbs");
  verb->add_option("FILE", request->file, "What 'ordeal check' wrote when it found a bug")->required();
  add_report_options(*verb, request->report);
  verb->footer(
      "Exit codes:\n"
      "  1  the bug happened again\n"
      "  2  wrong usage, or no replay file\n"
      "  4  it did not happen again, or the program is gone");
  verb->callback([request, &exit_code] {
    try {
      exit_code = replay(*request);
    } catch (const NotChecked& error) {
      std::cerr << "ordeal: " << error.what() << "\n";
      exit_code = kCannotCheck;
    }
  });
}

}  // namespace ordeal::tools
