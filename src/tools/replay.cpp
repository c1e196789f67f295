#include "tools/replay.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>

#include "tools/checked_run.h"
#include "tools/elf_file.h"
#include "tools/exit_code.h"
#include "tools/run_report.h"
#include "tools/usage.h"
#include "trace/run_result_format.h"

namespace ordeal::tools {
namespace {

struct Request {
  std::string file;
  ReportOptions report;
};

std::string read_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  std::string text;
  if (file) text.assign(std::istreambuf_iterator<char>(file), {});
  if (!file) throw std::runtime_error(fmt::format("cannot read '{}': {}", name, std::strerror(errno)));
  return text;
}

trace::RunResult recorded_run(const std::string& name, const std::string& text) {
  trace::RunResult recorded;
  try {
    recorded = trace::read_run_result(text);
  } catch (const trace::FormatError& error) {
    throw std::runtime_error(fmt::format("'{}' is no replay file: {}", name, error.what()));
  }
  if (recorded.bugs.empty()) throw std::runtime_error(fmt::format("'{}' has no bug to replay", name));
  return recorded;
}

int replay(const Request& request) {
  const std::string text = read_file(request.file);
  const trace::RunResult recorded = recorded_run(request.file, text);
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
  verb->add_flag("--json", request->report.json, "Print one JSON object");
  verb->add_flag("--quiet", request->report.quiet, "Print the verdict only");
  verb->add_option("--color", request->report.color, "Colours: auto (default), always or never")
      ->check(one_of({"auto", "always", "never"}))
      ->type_name("WHEN");
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
