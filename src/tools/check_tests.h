// `ordeal check` of a program with tests (test_framework.h): each is a run of its own, with its own report; then one verdict for all,
// the worst: a bug, cannot check, bounded, verified.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/run_report.h"
#include "tools/test_framework.h"
#include "trace/run_result.h"

namespace ordeal::tools {

struct TestChecks {
  std::vector<TestCase> tests;
  ReportOptions report;
  std::function<trace::RunResult(const Words& arguments)> run;  // may throw NotChecked
  std::function<std::string(const trace::RunResult&, const std::string& test)>
      write_replay;  // gives the file's name, or nothing
};

/// Prints, and gives the exit code.
int check_tests(const TestChecks& checks);

}  // namespace ordeal::tools
