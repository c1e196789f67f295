// Results as JUnit XML, as continuous integration reads it: a suite a run; a case a program, a test of a framework or a litmus test.
//
//   failure   a bug; the type is its kind
//   error     nothing is known for certain: "bounded", "cannot-check", "compile-error". No run that exits with 3 looks like a success
//   skipped   it was not run
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/check_report.h"
#include "report/litmus_report.h"

namespace ordeal::report {

struct JUnitCase {
  enum class Outcome : std::uint8_t { kPassed, kFailure, kError, kSkipped };
  std::string group;  // "classname": the program, or the file of a litmus test
  std::string name;
  double seconds = 0;
  Outcome outcome = Outcome::kPassed;
  std::string type;     // of a failure or an error
  std::string message;  // one line
  std::string text;     // the report
  std::string output;   // of the program

  static JUnitCase not_run(const std::string& group, const std::string& name);
  static JUnitCase error(const std::string& group, const std::string& name, const std::string& why);
};

/// `options.program` is the program or the test.
JUnitCase junit_case(const trace::RunResult& result, SourceNames& names, const CheckOptions& options);
/// With the meaning of `--expect`: a ~exists or forall that fails, or a race, is a failure.
JUnitCase junit_case(const LitmusSummary& summary);

std::string junit(const std::string& suite, const std::vector<JUnitCase>& cases);

/// Any bytes as text of an element, or of an attribute ("one line").
std::string xml_text(std::string_view text);
std::string xml_attribute(std::string_view text);

}  // namespace ordeal::report
