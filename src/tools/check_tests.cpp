#include "tools/check_tests.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/check_json.h"
#include "report/litmus_report.h"
#include "tools/checked_run.h"
#include "tools/output_files.h"
#include "trace/run_result_format.h"

namespace ordeal::tools {
namespace {

using Json = nlohmann::ordered_json;
using trace::RunResult;
using trace::Verdict;

int badness(Verdict verdict) {
  switch (verdict) {
    case Verdict::kBug: return 3;
    case Verdict::kCannotCheck: return 2;
    case Verdict::kBounded: return 1;
    case Verdict::kVerified:
    case Verdict::kSampled: return 0;
  }
  return 3;
}

/// What is told at the end.
struct Sum {
  Verdict verdict = Verdict::kVerified;
  std::uint64_t executions = 0, blocked = 0;
  double seconds = 0;
  std::vector<std::string> names[4];  // of tests, by badness
  std::size_t with_one_thread = 0, not_run = 0;
  Json tests = Json::array(), bugs = Json::array();
  std::string model;

  void add(const RunResult& result, const std::string& name) {
    if (badness(result.verdict) > badness(verdict)) verdict = result.verdict;
    executions += result.executions;
    blocked += result.blocked;
    seconds += result.seconds;
    if (!result.model.empty()) model = result.model;
    names[badness(result.verdict)].push_back(name);
  }
  void add_json(Json json, const std::string& name) {
    json.erase("version");
    json.erase("program");
    for (Json bug : json["bugs"]) {
      bug.erase("events");  // they are in the list of tests
      bug["test"] = name;
      bugs.push_back(std::move(bug));
    }
    Json test{{"name", name}};
    test.update(json);
    tests.push_back(std::move(test));
  }
};

RunResult run_or_reason(const TestChecks& checks, const TestCase& test) {
  try {
    return checks.run(test.arguments);
  } catch (const NotChecked& error) {
    RunResult result;
    result.verdict = Verdict::kCannotCheck;
    result.cannot_check = error.what();
    return result;
  }
}

bool was_interrupted(const RunResult& result) {
  return std::find(result.bounds.begin(), result.bounds.end(), "interrupted") != result.bounds.end();
}

void check_test(const TestChecks& checks, const TestCase& test, RunResult& result, Sum& sum, OutputFiles& files) {
  ReportOptions report = checks.report;
  report.test = test.name;
  if (!result.bugs.empty()) report.replay_files = {checks.write_replay(result, test.name)};
  sum.add(result, test.name);
  files.add(result, report);
  if (report.json) {
    sum.add_json(Json::parse(json_report(result, report)), test.name);
    return;
  }
  if (result.threads == 1 && result.verdict != Verdict::kCannotCheck) {  // told once for all
    ++sum.with_one_thread;
    result.threads = 0;
  }
  print_report(result, report);
  if (!result.bugs.empty() && !report.quiet) print("\n");
}

/// "2 of 5 tests of queue_test.cpp have bugs: Queue.Push, Queue.Pop".
std::string last_lines(const Sum& sum, const ReportOptions& report) {
  constexpr const char* kWhat[] = {"verified", "bounded", "cannot be checked", "with a bug"};
  std::string text;
  std::size_t all = sum.not_run;
  for (int i = 3; i >= 0; --i) {
    all += sum.names[i].size();
    if (sum.names[i].empty()) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", sum.names[i].size(), kWhat[i]);
    if (i > 0) text += fmt::format(" ({})", fmt::join(sum.names[i], ", "));
  }
  if (sum.not_run > 0) text += fmt::format(", {} not run", sum.not_run);
  text = fmt::format("{}: {} tests of {}, each by itself: {}; {} in {}\n", coloured_verdict(sum.verdict, report), all,
                     report.program, text, report::plural(sum.executions + sum.blocked, "execution"),
                     report::duration(sum.seconds));
  if (sum.with_one_thread > 0) text += fmt::format("note: {} of them with one thread only\n", sum.with_one_thread);
  return text;
}

std::string json_text(const Sum& sum, const ReportOptions& report) {
  Json json{{"version", report::kJsonVersion},     {"verdict", trace::word(sum.verdict)}, {"program", report.program}, {"model", sum.model},
            {"executions", sum.executions},        {"blocked", sum.blocked},    {"seconds", sum.seconds}};
  json["bounds"] = Json::array();
  for (const Json& test : sum.tests)
    for (const Json& bound : test["bounds"])
      if (std::find(json["bounds"].begin(), json["bounds"].end(), bound) == json["bounds"].end())
        json["bounds"].push_back(bound);
  json["notes"] = Json::array();
  if (sum.not_run > 0) json["notes"].push_back(fmt::format("{} tests were not run", sum.not_run));
  json["bugs"] = sum.bugs;
  json["tests"] = sum.tests;
  return json.dump() + "\n";
}

}  // namespace

int check_tests(const TestChecks& checks) {
  Sum sum;
  OutputFiles files(checks.report.files, checks.report.program);
  for (std::size_t i = 0; i < checks.tests.size(); ++i) {
    RunResult result = run_or_reason(checks, checks.tests[i]);
    const bool is_last = was_interrupted(result);
    check_test(checks, checks.tests[i], result, sum, files);
    if (!is_last) continue;
    sum.not_run = checks.tests.size() - i - 1;
    for (++i; i < checks.tests.size(); ++i) files.add(report::JUnitCase::not_run(checks.report.program, checks.tests[i].name));
    break;
  }
  print(checks.report.json ? json_text(sum, checks.report) : last_lines(sum, checks.report));
  ReportOptions plain = checks.report;
  plain.color = "never";
  files.page().set_summary(std::string(trace::word(sum.verdict)), sum.model, last_lines(sum, plain));
  return files.write(exit_code_of(sum.verdict), "no test has a bug to show; with --show every execution is shown");
}

}  // namespace ordeal::tools
