#include "tools/test.h"

#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "tools/check_options.h"
#include "tools/output_files.h"
#include "tools/program_request.h"
#include "tools/suppressions.h"
#include "tools/test_options.h"

namespace ordeal::tools {
namespace {

struct Request {
  ProgramRequest program;
  TestOptions sample;
  std::string suppressions;
  bool suggests_suppressions = false;
};

/// "# suppressions" and so on, to be put into a file.
std::string suggestions(const trace::RunResult& result) {
  std::string text;
  for (const std::string& line : suggested_suppressions(result)) text += line + "\n";
  return text.empty() ? "" : "\n# for --suppressions FILE:\n" + text;
}

int test(const Request& request) {
  std::optional<Suppressions> suppressions;  // a file that cannot be read is told before the program is run
  if (!request.suppressions.empty()) suppressions.emplace(request.suppressions);
  const BuiltProgram program = program_of(request.program);
  ReportOptions report = request.program.report;
  report.program = request.program.files.front();
  if (request.sample.sc_analysis) report.sc = ReportOptions::Sc::kBesideAll;
  const std::string shown = shows_executions(report) ? "" : ":sc_shown=0";  // to be shown an execution is run again
  trace::RunResult result = run_request(request.program, program, request.program.program_arguments, "test", environment_text(request.sample) + shown);
  if (suppressions) suppressions->apply(result);
  report.replay_files = ReplayWriter(request.program, program).write_all(result);
  print_report(result, report);
  if (request.suggests_suppressions) print(suggestions(result));
  return write_outputs(result, report, exit_code_of(result.verdict));
}

}  // namespace

void add_test_verb(CLI::App& app, int& exit_code, Words& words) {
  auto request = std::make_shared<Request>();
  CLI::App* verb = app.add_subcommand("test", "Runs a C or C++ program many times at random")->group("Verbs");
  add_program_files(*verb, request->program);
  add_test_options(*verb, request->sample);
  verb->add_option("--suppressions", request->suppressions, "Bugs not to tell of, in ThreadSanitizer's syntax")->type_name("FILE");
  verb->add_flag("--gen-suppressions", request->suggests_suppressions, "Print lines for such a file");
  add_program_options(*verb, request->program);
  verb->get_option("--gen-suppressions")->excludes("--json");
  verb->footer(std::string(kArgumentsHelp) +
               "Exit codes:\n"
               "  0  sampled: no bug in so many executions\n"
               "  1  a bug\n"
               "  2  wrong usage, or sources that do not compile\n"
               "  3  no bug, but Ctrl-C or a limit came before the sample was made\n"
               "  4  cannot be tested: not instrumented, not supported, or the test was killed");
  take_arguments(*verb, words, request->program);
  verb->callback([request, &exit_code] { exit_code = run_or_complain(request->program, [&] { return test(*request); }); });
}

}  // namespace ordeal::tools
