// SARIF, JUnit and DOT: what is in them. tests/scripts/check_formats.sh has files of real bugs looked at by their own tools.
#include <fstream>
#include <stdexcept>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "fake_names.h"
#include "report/dot.h"
#include "report/junit.h"
#include "report/sarif.h"
#include "trace/run_result_format.h"

namespace ordeal::report {
namespace {

using model::MemoryOrder;
using nlohmann::json;
using testing::FakeNames;
using testing::TraceMaker;
using trace::Bug;
using trace::BugKind;
using trace::RunResult;
using trace::Verdict;

RunResult race_beside_flag() {
  RunResult result = testing::race_beside_flag();
  result.bugs.front().output = "hi\n";
  result.bugs.front().count = 3;
  return result;
}

json sarif_run(const RunResult& result) {
  FakeNames names;
  Sarif sarif("1.2.3");
  sarif.add(result, names, "queue", {"q.replay"});
  return json::parse(sarif.text())["runs"][0];
}

TEST(Sarif, ABugIsAResultWithItsRuleAndPlaces) {
  const json run = sarif_run(race_beside_flag());
  EXPECT_EQ(run["tool"]["driver"]["version"], "1.2.3");
  EXPECT_EQ(run["tool"]["driver"]["rules"][0]["id"], "data-race");
  EXPECT_EQ(run["invocations"], json::array({{{"executionSuccessful", true}}}));
  ASSERT_EQ(run["results"].size(), 1);
  const json& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "data-race");
  EXPECT_EQ(result["ruleIndex"], 0);
  const std::string text = result["message"]["text"];
  EXPECT_TRUE(text.starts_with("data race on 'x': main reads at queue.cpp:14, thread 1 writes at queue.cpp:29.\n")) << text;
  EXPECT_GT(text.size(), 90) << "and why";
  const json place{{"artifactLocation", {{"uri", "queue.cpp"}}}, {"region", {{"startLine", 14}, {"startColumn", 3}}}};
  ASSERT_EQ(result["locations"].size(), 1);
  EXPECT_EQ(result["locations"][0]["physicalLocation"], place);
  ASSERT_EQ(result["relatedLocations"].size(), 1);
  EXPECT_EQ(result["relatedLocations"][0]["message"]["text"], "thread 1 writes 4 bytes");
  EXPECT_EQ(result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 29);
  EXPECT_EQ(result["occurrenceCount"], 3);
  EXPECT_EQ(result["properties"], json({{"program", "queue"}, {"replay", "q.replay"}}));
  ASSERT_EQ(result["stacks"].size(), 2);
  EXPECT_EQ(result["stacks"][1]["frames"][1]["location"]["physicalLocation"]["region"]["startLine"], 1000);
}

// The rows: create, the write of x, flag = 1 before it is read, flag = 2 before the read in main but behind 1 in no interleaving …: what
// the order is, execution_table says. Here: the numbers are those of the rows.
TEST(Sarif, AThreadFlowHasTheRowsOfItsThread) {
  const RunResult bugs = race_beside_flag();
  const json result = sarif_run(bugs)["results"][0];
  ASSERT_EQ(result["codeFlows"].size(), 1);
  const json& flows = result["codeFlows"][0]["threadFlows"];
  ASSERT_EQ(flows.size(), 2);
  EXPECT_EQ(flows[0]["id"], "main");
  EXPECT_EQ(flows[1]["id"], "thread 1");
  ASSERT_EQ(flows[0]["locations"].size(), 4);
  ASSERT_EQ(flows[1]["locations"].size(), 2);
  FakeNames names;
  const BugView view(bugs.bugs[0], names);
  std::vector<std::size_t> at(2, 0);
  int order = 0;
  for (const TableLine& line : execution_lines(view.trace(), view.texts())) {
    const json& step = flows[line.thread]["locations"][at[line.thread]++];
    EXPECT_EQ(step["executionOrder"], ++order);
    EXPECT_EQ(step["location"]["message"]["text"], line.letter.empty() ? line.text : line.letter + ": " + line.text);
    EXPECT_EQ(step.value("importance", "") == "essential", line.is_marked);
  }
  EXPECT_EQ(flows[1]["locations"][0]["location"]["physicalLocation"]["region"]["startLine"], 29);
  EXPECT_EQ(flows[1]["locations"][1]["location"]["physicalLocation"]["region"]["startLine"], 30);
}

TEST(Sarif, TheFingerprintIsThatOfKindAndPlaces) {
  const auto fingerprint = [](const RunResult& result) { return sarif_run(result)["results"][0]["partialFingerprints"]["kindAndPlaces/v1"]; };
  RunResult other = race_beside_flag();
  EXPECT_EQ(fingerprint(other), "841a6b09d08b0623") << "FNV-1a of \"data-race queue.cpp:14 queue.cpp:29\"";
  std::swap(other.bugs[0].parties[0], other.bugs[0].parties[1]);
  other.bugs[0].trace.events.pop_back();
  EXPECT_EQ(fingerprint(other), fingerprint(race_beside_flag()));
  other.bugs[0].parties[0].stack[0] = 28;
  EXPECT_NE(fingerprint(other), fingerprint(race_beside_flag()));
}

TEST(Sarif, WhatIsNoSuccessIsANotification) {
  RunResult result;
  result.verdict = Verdict::kBounded;
  result.bounds = {"the time limit of 1 s"};
  json invocation = sarif_run(result)["invocations"][0];
  EXPECT_EQ(invocation["executionSuccessful"], true);
  EXPECT_EQ(invocation["toolExecutionNotifications"][0]["level"], "warning");
  EXPECT_NE(invocation["toolExecutionNotifications"][0]["message"]["text"].get<std::string>().find("the time limit of 1 s"), std::string::npos);
  result.verdict = Verdict::kCannotCheck;
  result.bounds.clear();
  result.cannot_check = "syscall {clone}";
  invocation = sarif_run(result)["invocations"][0];
  EXPECT_EQ(invocation["executionSuccessful"], false);
  EXPECT_EQ(invocation["toolExecutionNotifications"][0]["level"], "error");
  EXPECT_EQ(invocation["toolExecutionNotifications"][0]["message"]["text"], "cannot check queue: syscall {{clone}}\n") << "a single brace would be an argument";
  EXPECT_EQ(sarif_run(result)["results"], json::array());
  RunResult verified;
  EXPECT_FALSE(sarif_run(verified)["invocations"][0].contains("toolExecutionNotifications"));
}

TEST(Sarif, WithoutEventsThereIsNoFlow) {
  RunResult result = race_beside_flag();
  result.bugs[0].trace.events.clear();
  EXPECT_FALSE(sarif_run(result)["results"][0].contains("codeFlows"));
  EXPECT_EQ(sarif_run(result)["results"][0]["stacks"].size(), 2);
  result.bugs[0].parties.clear();
  const json shown = sarif_run(result)["results"][0];
  EXPECT_FALSE(shown.contains("relatedLocations"));
  EXPECT_EQ(shown["locations"], json::array());
}

// A new kind needs both.
TEST(Formats, EveryKindOfBugIsInTheSchemaAndHasADescription) {
  std::ifstream file(ORDEAL_SOURCE_DIR "/docs/schema/ordeal-report.schema.json");
  const json kinds = json::parse(file)["definitions"]["bug"]["properties"]["kind"]["enum"];
  ASSERT_GE(kinds.size(), 17);
  RunResult result = race_beside_flag();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    result.bugs[0].kind = static_cast<BugKind>(i);
    EXPECT_EQ(trace::word(result.bugs[0].kind), kinds[i]);
    EXPECT_NE(sarif_run(result)["tool"]["driver"]["rules"][0]["shortDescription"]["text"], "") << kinds[i];
  }
  EXPECT_THROW(trace::word(static_cast<BugKind>(kinds.size())), std::out_of_range) << "one is missing in the schema";
}

TEST(Sarif, PathsAreUris) {
  EXPECT_EQ(file_uri("src/queue.cpp"), "src/queue.cpp");
  EXPECT_EQ(file_uri("/a b/c%d.cpp"), "file:///a%20b/c%25d.cpp");
  EXPECT_EQ(file_uri("a:b\xff.cpp"), "a%3Ab%FF.cpp");
}

// --- JUnit -------------------------------------------------------------------------------------------------------------------------

JUnitCase case_of(const RunResult& result) {
  FakeNames names;
  CheckOptions options;
  options.program = "queue";
  return junit_case(result, names, options);
}

TEST(JUnit, AVerdictIsACase) {
  using Outcome = JUnitCase::Outcome;
  RunResult result;
  EXPECT_EQ(case_of(result).outcome, Outcome::kPassed);
  result.verdict = Verdict::kSampled;
  EXPECT_EQ(case_of(result).outcome, Outcome::kPassed);
  result.verdict = Verdict::kBounded;
  result.bounds = {"the time limit"};
  EXPECT_EQ(case_of(result).outcome, Outcome::kError) << "exit code 3 is no success";
  EXPECT_EQ(case_of(result).type, "bounded");
  EXPECT_TRUE(case_of(result).message.ends_with("; not all was explored: the time limit")) << case_of(result).message;
  result.bounds.clear();
  result.verdict = Verdict::kCannotCheck;
  result.cannot_check = "why";
  EXPECT_EQ(case_of(result).outcome, Outcome::kError);
  EXPECT_EQ(case_of(result).type, "cannot-check");
  EXPECT_EQ(case_of(result).message, "cannot check queue: why");
  const JUnitCase bug = case_of(race_beside_flag());
  EXPECT_EQ(bug.outcome, Outcome::kFailure);
  EXPECT_EQ(bug.type, "data-race");
  EXPECT_EQ(bug.message, "data race on 'x': main reads at queue.cpp:14, thread 1 writes at queue.cpp:29");
  EXPECT_EQ(bug.output, "hi\n");
  EXPECT_NE(bug.text.find("flag = 2 rlx"), std::string::npos) << "the table";
  RunResult two = race_beside_flag();
  two.bugs.push_back(two.bugs[0]);
  EXPECT_TRUE(case_of(two).message.ends_with(" (and 1 other bug)"));
}

TEST(JUnit, ALitmusTestIsJudgedAsWithExpect) {
  using Outcome = JUnitCase::Outcome;
  LitmusSummary summary;
  summary.name = "SB";
  summary.expectation = "Allowed";
  EXPECT_EQ(junit_case(summary).outcome, Outcome::kPassed) << "an exists that is not seen";
  summary.expectation = "Forbidden";
  summary.condition = "~exists (x=1)";
  EXPECT_EQ(junit_case(summary).outcome, Outcome::kFailure);
  EXPECT_EQ(junit_case(summary).message, "~exists (x=1) does not hold");
  summary.condition_holds = true;
  EXPECT_EQ(junit_case(summary).outcome, Outcome::kPassed);
  summary.bounds = {"cut"};
  EXPECT_EQ(junit_case(summary).outcome, Outcome::kError);
  summary.racy = true;
  EXPECT_EQ(junit_case(summary).outcome, Outcome::kFailure);
  EXPECT_EQ(junit_case(summary).type, "data-race");
}

TEST(JUnit, TheFileCountsItsCases) {
  JUnitCase passed, failed;
  passed.group = failed.group = "g";
  passed.name = "a";
  passed.seconds = 0.5;
  failed.name = "b<c>";
  failed.seconds = 1;
  failed.outcome = JUnitCase::Outcome::kFailure;
  failed.type = "data-race";
  failed.message = "\"x\"";
  failed.text = "1 < 2\n";
  failed.output = "out\n";
  EXPECT_EQ(junit("s", {passed, failed, JUnitCase::not_run("g", "n"), JUnitCase::error("g", "e", "why")}),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"s\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\" time=\"1.500000\">\n"
            "  <testsuite name=\"s\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\" time=\"1.500000\">\n"
            "    <testcase classname=\"g\" name=\"a\" time=\"0.500000\"/>\n"
            "    <testcase classname=\"g\" name=\"b&lt;c&gt;\" time=\"1.000000\">\n"
            "      <failure type=\"data-race\" message=\"&quot;x&quot;\">1 &lt; 2\n</failure>\n"
            "      <system-out>out\n</system-out>\n"
            "    </testcase>\n"
            "    <testcase classname=\"g\" name=\"n\" time=\"0.000000\">\n"
            "      <skipped message=\"not run: interrupted\"/>\n"
            "    </testcase>\n"
            "    <testcase classname=\"g\" name=\"e\" time=\"0.000000\">\n"
            "      <error type=\"error\" message=\"why\"></error>\n"
            "    </testcase>\n"
            "  </testsuite>\n"
            "</testsuites>\n");
}

TEST(JUnit, NoByteBreaksTheXml) {
  EXPECT_EQ(xml_text("a\x01\xff\t]]>\n&b"), "a\\x01\\xff\t]]&gt;\n&amp;b\n");
  EXPECT_EQ(xml_attribute("\"a\n\t\""), "&quot;a\\n\\t&quot;");
  EXPECT_EQ(xml_text("\xEF\xBF\xBE\xEF\xBF\xBF\xEF\xBF\xBD"), "\\xef\\xbf\\xbe\\xef\\xbf\\xbf\xEF\xBF\xBD\n") << "U+FFFE and U+FFFF are no characters of XML, U+FFFD is one";
  EXPECT_EQ(xml_text("\xED\xA0\x80"), "\\xed\\xa0\\x80\n") << "half of a surrogate pair";
}

// --- DOT ---------------------------------------------------------------------------------------------------------------------------

std::string node_with(const std::string& graph, const std::string& text) {
  const std::size_t at = graph.find(text), start = graph.rfind("    r", at);
  return at == std::string::npos ? "none" : graph.substr(start + 4, graph.find(' ', start + 4) - start - 4);
}

std::string graph_of(const RunResult& result) {
  FakeNames names;
  return dot(BugView(result.bugs[0], names), "a \"title\"");
}

bool has(const std::string& graph, const std::string& text) { return graph.find(text) != std::string::npos; }

// The store 2 is before the read in main, and the read reads 1: so 1 is behind 2 in modification order, by force.
TEST(Dot, ThreadsAreClustersAndRelationsAreArrows) {
  const std::string graph = graph_of(race_beside_flag());
  EXPECT_TRUE(graph.starts_with("digraph {\n")) << graph;
  EXPECT_TRUE(has(graph, "label=\"a \\\"title\\\"\"")) << graph;
  EXPECT_TRUE(has(graph, "subgraph cluster_0 {\n    label=\"main\";") && has(graph, "subgraph cluster_1 {\n    label=\"thread 1\";")) << graph;
  const std::string one = node_with(graph, "flag = 1 "), two = node_with(graph, "flag = 2 "), read = node_with(graph, "flag: 1 "), create = node_with(graph, "create"), write = node_with(graph, "writes x");
  EXPECT_TRUE(has(graph, one + " -> " + read + " [label=rf, color=darkgreen, fontcolor=darkgreen, style=solid")) << graph;
  EXPECT_TRUE(has(graph, two + " -> " + one + " [label=mo, color=blue, fontcolor=blue, style=solid")) << graph;
  EXPECT_TRUE(has(graph, create + " -> " + write + " [label=sw, color=purple")) << graph;
  EXPECT_TRUE(has(graph, create + " -> " + two + " [weight=100]")) << graph;
  EXPECT_TRUE(has(graph, two + " -> " + read + " [weight=100]")) << graph;
  for (int i = 1; i < 6; ++i) EXPECT_TRUE(has(graph, "  r" + std::to_string(i - 1) + " -> r" + std::to_string(i) + " [style=invis];\n")) << "as in the table";
  EXPECT_FALSE(has(graph, "label=fr") || has(graph, "dashed")) << graph;
}

TEST(Dot, WhatTheModelLeavesOpenIsDashed) {
  RunResult result = race_beside_flag();
  result.bugs[0].trace.events.pop_back();  // the read
  result.bugs[0].parties.clear();
  EXPECT_TRUE(has(graph_of(result), "[label=mo, color=blue, fontcolor=blue, style=dashed"));
}

TEST(Dot, NoByteEndsAString) {
  EXPECT_EQ(dot_text("a\"b\\n\n&lt;\xff"), "a\\\"b\\\\n\\\\n&amp;lt;\\\\xff");
}

TEST(Dot, OfALongExecutionTheEndIsThere) {
  RunResult result = race_beside_flag();
  trace::Trace& trace = result.bugs[0].trace;
  trace = {};
  trace.model = "cpp20";
  TraceMaker events(trace, {"main"});
  const int flag = events.location(0x200);
  for (int i = 0; i < 500; ++i) events.write(0, flag, i, MemoryOrder::kRelaxed, 41);
  result.bugs[0].parties.clear();
  const std::string graph = graph_of(result);
  EXPECT_TRUE(has(graph, "The execution is long: its first rows are left out, 100 of 500.")) << graph.substr(0, 300);
  EXPECT_TRUE(has(graph, "flag = 499 ") && has(graph, "flag = 100 ") && !has(graph, "flag = 99 "));
}

}  // namespace
}  // namespace ordeal::report
