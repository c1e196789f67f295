#include "tools/check.h"

#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "tools/check_options.h"
#include "tools/check_tests.h"
#include "tools/output_files.h"
#include "tools/program_request.h"
#include "tools/test_framework.h"

namespace ordeal::tools {
namespace {

struct Request {
  ProgramRequest program;
  CheckOptions search;
};

int check(const Request& request) {
  const BuiltProgram program = program_of(request.program);
  ReportOptions report = request.program.report;
  report.program = request.program.files.front();
  ReplayWriter replays(request.program, program);
  const std::string shown = shows_executions(report) ? "" : ":sc_shown=0";  // to be shown an execution is run again
  const auto run = [&](const Words& arguments) { return run_request(request.program, program, arguments, "check", environment_text(request.search) + shown); };
  if (std::vector<TestCase> tests = tests_of(program.path, request.program.program_arguments); tests.size() > 1) {
    const auto write_replay = [&](const trace::RunResult& result, const std::string& test) {
      return replays.write(result, test);
    };
    return check_tests({std::move(tests), report, run, write_replay});
  }
  const trace::RunResult result = run(request.program.program_arguments);
  report.replay_files = {replays.write(result, "")};
  print_report(result, report);
  return write_outputs(result, report, exit_code_of(result.verdict));
}

}  // namespace

void add_check_verb(CLI::App& app, int& exit_code, Words& words) {
  auto request = std::make_shared<Request>();
  CLI::App* verb = app.add_subcommand("check", "Explores every behaviour of a C or C++ program")->group("Verbs");
  add_program_files(*verb, request->program);
  add_search_options(*verb, request->search);
  add_program_options(*verb, request->program);
  verb->footer(std::string(kArgumentsHelp) +
               "Exit codes:\n"
               "  0  verified: every execution class was explored, no bug\n"
               "  1  a bug\n"
               "  2  wrong usage, or sources that do not compile\n"
               "  3  no bug, but a bound, a limit or Ctrl-C cut the search\n"
               "  4  cannot be checked: not instrumented, not supported, or the check was killed");
  take_arguments(*verb, words, request->program);
  verb->callback([request, &exit_code] { exit_code = run_or_complain(request->program, [&] { return check(*request); }); });
}

}  // namespace ordeal::tools
