#include "report/junit.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/bug_view.h"
#include "report/headline.h"
#include "report/printable.h"
#include "trace/run_result_format.h"

namespace ordeal::report {
namespace {

using Outcome = JUnitCase::Outcome;
using trace::Verdict;

/// REQUIRES: printable. Two characters are printable and still not allowed in XML.
std::string xml_escaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view three = text.substr(i, 3);
    if (three == "\xEF\xBF\xBE" || three == "\xEF\xBF\xBF") {
      out += three == "\xEF\xBF\xBE" ? "\\xef\\xbf\\xbe" : "\\xef\\xbf\\xbf";
      i += 2;
    } else if (text[i] == '&') {
      out += "&amp;";
    } else if (text[i] == '<') {
      out += "&lt;";
    } else if (text[i] == '>') {
      out += "&gt;";
    } else if (text[i] == '"') {
      out += "&quot;";
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

void add_bugs(JUnitCase& shown, const trace::RunResult& result, SourceNames& names) {
  shown.outcome = Outcome::kFailure;
  shown.type = trace::word(result.bugs.front().kind);
  shown.message = headline(BugView(result.bugs.front(), names));
  if (result.bugs.size() > 1) shown.message += fmt::format(" (and {})", plural(result.bugs.size() - 1, "other bug"));
  for (const trace::Bug& bug : result.bugs) shown.output += bug.output;
}

std::string_view element_of(Outcome outcome) { return outcome == Outcome::kFailure ? "failure" : "error"; }

std::string case_text(const JUnitCase& shown) {
  std::string text = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.6f}\"", xml_attribute(shown.group), xml_attribute(shown.name), shown.seconds);
  if (shown.outcome == Outcome::kPassed && shown.output.empty()) return text + "/>\n";
  text += ">\n";
  if (shown.outcome == Outcome::kSkipped) text += fmt::format("      <skipped message=\"{}\"/>\n", xml_attribute(shown.message));
  else if (shown.outcome != Outcome::kPassed)
    text += fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", element_of(shown.outcome), xml_attribute(shown.type), xml_attribute(shown.message), xml_text(shown.text));
  if (!shown.output.empty()) text += fmt::format("      <system-out>{}</system-out>\n", xml_text(shown.output));
  return text + "    </testcase>\n";
}

}  // namespace

JUnitCase JUnitCase::not_run(const std::string& group, const std::string& name) {
  JUnitCase shown;
  shown.group = group;
  shown.name = name;
  shown.outcome = Outcome::kSkipped;
  shown.message = "not run: interrupted";
  return shown;
}

JUnitCase JUnitCase::error(const std::string& group, const std::string& name, const std::string& why) {
  JUnitCase shown;
  shown.group = group;
  shown.name = name;
  shown.outcome = Outcome::kError;
  shown.type = "error";
  shown.message = why;
  return shown;
}

std::string xml_text(std::string_view text) { return xml_escaped(printable_lines(text, "")); }
std::string xml_attribute(std::string_view text) { return xml_escaped(printable(text)); }

JUnitCase junit_case(const trace::RunResult& result, SourceNames& names, const CheckOptions& options) {
  JUnitCase shown;
  shown.group = "ordeal";
  shown.name = options.program;
  shown.seconds = result.seconds;
  if (result.verdict == Verdict::kVerified || result.verdict == Verdict::kSampled) return shown;
  shown.outcome = Outcome::kError;
  shown.type = trace::word(result.verdict);
  shown.text = check_report(result, names, options);
  shown.message = first_line(verdict_text(result, names, options));
  if (!result.bounds.empty()) shown.message += fmt::format("; not all was explored: {}", fmt::join(result.bounds, "; "));
  if (result.verdict == Verdict::kBug && !result.bugs.empty()) add_bugs(shown, result, names);
  return shown;
}

JUnitCase junit_case(const LitmusSummary& summary) {
  JUnitCase shown;
  shown.group = summary.file;
  shown.name = summary.name;
  shown.seconds = summary.seconds;
  const bool is_unexpected = !summary.condition_holds && summary.expectation != "Allowed";
  if (summary.racy || is_unexpected) {
    shown.outcome = Outcome::kFailure;
    shown.type = summary.racy ? "data-race" : "condition";
    shown.message = summary.racy ? summary.race : summary.condition + " does not hold";
  } else if (!summary.bounds.empty()) {
    shown.outcome = Outcome::kError;
    shown.type = "bounded";
    shown.message = fmt::format("{}", fmt::join(summary.bounds, "; "));
  }
  if (shown.outcome != Outcome::kPassed) shown.text = herd_text(summary);
  return shown;
}

std::string junit(const std::string& suite, const std::vector<JUnitCase>& cases) {
  const auto count = [&](Outcome outcome) { return std::count_if(cases.begin(), cases.end(), [&](const JUnitCase& shown) { return shown.outcome == outcome; }); };
  double seconds = 0;
  for (const JUnitCase& shown : cases) seconds += shown.seconds;
  const std::string counts = fmt::format("name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.6f}\"", xml_attribute(suite), cases.size(),
                                         count(Outcome::kFailure), count(Outcome::kError), count(Outcome::kSkipped), seconds);
  std::string text = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n  <testsuite {0}>\n", counts);
  for (const JUnitCase& shown : cases) text += case_text(shown);
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace ordeal::report
