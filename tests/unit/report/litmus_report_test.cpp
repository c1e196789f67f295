#include "report/litmus_report.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace ordeal::report {
namespace {

/// Message passing, as a run of it would be summarised.
LitmusSummary message_passing() {
  LitmusSummary summary;
  summary.name = "MP";
  summary.file = "mp/MP.litmus";
  summary.model = "cpp20";
  summary.expectation = "Allowed";
  summary.condition = "exists (1:r0=1 /\\ 1:r1=0)";
  summary.columns = {"1:r0", "1:r1"};
  summary.column_is_memory = {false, false};
  summary.states = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  summary.condition_holds = true;
  summary.positive = 1;
  summary.negative = 3;
  summary.executions = 4;
  summary.seconds = 41e-6;
  return summary;
}

// --- herd's text ------------------------------------------------------------------------------------------------------------

TEST(HerdText, IsThatOfHerdAndOneLineOfItsOwn) {
  EXPECT_EQ(herd_text(message_passing()),
            "Test MP Allowed\n"
            "States 4\n"
            "1:r0=0; 1:r1=0;\n"
            "1:r0=0; 1:r1=1;\n"
            "1:r0=1; 1:r1=0;\n"
            "1:r0=1; 1:r1=1;\n"
            "Ok\n"
            "Witnesses\n"
            "Positive: 1 Negative: 3\n"
            "Condition exists (1:r0=1 /\\ 1:r1=0)\n"
            "Observation MP Sometimes 1 3\n"
            "Ordeal: 4 classes in 41 µs, model cpp20\n");
}

TEST(HerdText, MemoryStandsInBracketsAndAddressesHaveNames) {
  LitmusSummary summary = message_passing();
  summary.columns = {"0:p", "x"};
  summary.column_is_memory = {false, true};
  summary.states = {{std::string("y"), -3}};
  EXPECT_NE(herd_text(summary).find("\nStates 1\n0:p=y; [x]=-3;\nOk\n"), std::string::npos);
}

/// As herd prints it: the witnesses of a ~exists are the states that do not satisfy its proposition.
TEST(HerdText, SaysNoIfTheConditionFailsAndTurnsTheWitnessesOfANegation) {
  LitmusSummary summary = message_passing();
  summary.expectation = "Forbidden";
  summary.condition = "~exists (1:r0=1)";
  summary.condition_holds = false;
  EXPECT_EQ(herd_text(summary),
            "Test MP Forbidden\n"
            "States 4\n"
            "1:r0=0; 1:r1=0;\n"
            "1:r0=0; 1:r1=1;\n"
            "1:r0=1; 1:r1=0;\n"
            "1:r0=1; 1:r1=1;\n"
            "No\n"
            "Witnesses\n"
            "Positive: 3 Negative: 1\n"
            "Condition ~exists (1:r0=1)\n"
            "Observation MP Sometimes 1 3\n"
            "Ordeal: 4 classes in 41 µs, model cpp20\n");
}

/// What comes behind the line "Observation …".
std::string end_of(const LitmusSummary& summary) {
  const std::string text = herd_text(summary);
  return text.substr(text.find("Ordeal: "));
}

TEST(HerdText, CountsWhatIsLeftOut) {
  LitmusSummary summary = message_passing();
  summary.executions = 1;
  summary.blocked = 1234;
  summary.load_buffering = true;
  EXPECT_EQ(end_of(summary),
            "Ordeal: 1 class in 41 µs, model cpp20 with load buffering, 1,234 blocked\n");
}

TEST(HerdText, FlagsRacesAndBounds) {
  LitmusSummary summary = message_passing();
  summary.racy = true;
  summary.race = "P0 writes x (line 4) and P1 reads x (line 9)";
  summary.bounds = {"a loop ran 8 times and was cut (--loop-bound)", "interrupted"};
  EXPECT_EQ(end_of(summary),
            "Ordeal: 4 classes in 41 µs, model cpp20\n"
            "Racy: P0 writes x (line 4) and P1 reads x (line 9), unordered: undefined behaviour, the states mean nothing\n"
            "Bounded: a loop ran 8 times and was cut (--loop-bound)\n"
            "Bounded: interrupted\n");
  EXPECT_NE(herd_text(summary).find("Negative: 3\nFlag data-race\nCondition "), std::string::npos);
}

TEST(HerdText, OfATestWithoutStatesIsStillWhole) {
  LitmusSummary summary = message_passing();
  summary.states.clear();
  summary.condition_holds = false;
  summary.positive = summary.negative = summary.executions = 0;
  summary.blocked = 3;
  EXPECT_EQ(herd_text(summary),
            "Test MP Allowed\n"
            "States 0\n"
            "No\n"
            "Witnesses\n"
            "Positive: 0 Negative: 0\n"
            "Condition exists (1:r0=1 /\\ 1:r1=0)\n"
            "Observation MP Never 0 0\n"
            "Ordeal: 0 classes in 41 µs, model cpp20, 3 blocked\n");
}

TEST(Observation, IsNeverSometimesOrAlways) {
  LitmusSummary summary;
  summary.positive = 0, summary.negative = 5;
  EXPECT_EQ(observation(summary), "Never");
  summary.positive = 2;
  EXPECT_EQ(observation(summary), "Sometimes");
  summary.negative = 0;
  EXPECT_EQ(observation(summary), "Always");
  summary.positive = 0;
  EXPECT_EQ(observation(summary), "Never");
}

// --- JSON -------------------------------------------------------------------------------------------------------------------

TEST(JsonLine, HasTheseFieldsInThisOrder) {
  LitmusSummary summary = message_passing();
  summary.seconds = 0.25;
  EXPECT_EQ(json_line(summary),
            R"json({"version":1,"name":"MP","file":"mp/MP.litmus","model":"cpp20","load_buffering":false,"verdict":"Sometimes",)json"
            R"json("condition":"exists (1:r0=1 /\\ 1:r1=0)","holds":true,"positive":1,"negative":3,)json"
            R"json("states":[{"1:r0":0,"1:r1":0},{"1:r0":0,"1:r1":1},{"1:r0":1,"1:r1":0},{"1:r0":1,"1:r1":1}],)json"
            R"json("executions":4,"blocked":0,"racy":false,"bounds":[],"seconds":0.25})json"
            "\n");
}

TEST(JsonLine, IsOneLineOfJson) {
  LitmusSummary summary = message_passing();
  summary.name = "a \"quoted\"\nname\t\\ and µ";
  summary.racy = true;
  summary.race = "P0 writes x (line 4) and P1 reads x (line 9)";
  summary.load_buffering = true;
  summary.bounds = {"interrupted"};
  summary.blocked = 7;
  summary.columns = {"x", "0:p"};
  summary.states = {{std::numeric_limits<std::int64_t>::min(), std::string("y")}};
  const std::string line = json_line(summary);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const nlohmann::json json = nlohmann::json::parse(line);
  EXPECT_EQ(json["name"], summary.name);
  EXPECT_EQ(json["racy"], true);
  EXPECT_EQ(json["race"], summary.race);
  EXPECT_EQ(json["load_buffering"], true);
  EXPECT_EQ(json["bounds"], nlohmann::json::array({"interrupted"}));
  EXPECT_EQ(json["blocked"], 7);
  EXPECT_EQ(json["states"][0]["x"].get<std::int64_t>(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(json["states"][0]["0:p"], "y");
}

TEST(JsonLine, SurvivesNamesThatAreNotUtf8) {
  LitmusSummary summary = message_passing();
  summary.file = "caf\xe9.litmus";
  EXPECT_EQ(nlohmann::json::parse(json_line(summary))["file"], "caf\xef\xbf\xbd.litmus");
}

TEST(JsonLine, OfNoStatesHasAnEmptyList) {
  LitmusSummary summary = message_passing();
  summary.states.clear();
  EXPECT_EQ(nlohmann::json::parse(json_line(summary))["states"], nlohmann::json::array());
}

// --- the table --------------------------------------------------------------------------------------------------------------

TEST(Table, HasALineForEachTestAndATotal) {
  LitmusSummary first = message_passing(), second = message_passing();
  second.name = "a-longer-name";
  second.expectation = "Forbidden";
  second.condition_holds = false;
  second.executions = 1'234'567;
  second.seconds = 12.34;
  second.racy = true;
  second.bounds = {"interrupted"};
  EXPECT_EQ(table({first, second}),
            "Test                                     states       classes       time\n"
            "MP             Allowed    Ok  Sometimes       4             4      41 µs\n"
            "a-longer-name  Forbidden  No  Sometimes       4     1,234,567     12.3 s  racy  bounded\n"
            "2 tests: 1 Ok, 1 No, 1 racy, 1 bounded; 8 states, 1,234,571 classes in 12.3 s, model cpp20\n");
}

TEST(Table, ColumnsLineUp) {
  LitmusSummary first = message_passing(), second = message_passing();
  second.seconds = 2e-3;
  const std::string text = table({first, second});
  std::vector<std::size_t> ends;  // in characters, not bytes
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    std::size_t characters = 0;
    for (std::size_t i = begin; i < end; ++i) characters += (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80 ? 1 : 0;
    ends.push_back(characters);
    begin = end + 1;
  }
  ASSERT_EQ(ends.size(), 4u);
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[1], ends[2]);
}

TEST(Table, TotalNamesLoadBufferingAndLeavesOutWhatDidNotHappen) {
  LitmusSummary summary = message_passing();
  summary.load_buffering = true;
  const std::string text = table({summary, summary, summary});
  EXPECT_NE(text.find("\n3 tests: 3 Ok, 0 No; 12 states, 12 classes in 123 µs, model cpp20 with load buffering\n"), std::string::npos)
      << text;
}

// --- numbers ----------------------------------------------------------------------------------------------------------------

TEST(Grouped, HasACommaBeforeEveryThirdDigit) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(7), "7");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(12345), "12,345");
  EXPECT_EQ(grouped(123456), "123,456");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(18446744073709551615u), "18,446,744,073,709,551,615");
}

TEST(Plural, CountsInEnglish) {
  EXPECT_EQ(plural(1, "test"), "1 test");
  EXPECT_EQ(plural(0, "test"), "0 tests");
  EXPECT_EQ(plural(1234, "class"), "1,234 classes");
  EXPECT_EQ(plural(1, "class"), "1 class");
}

TEST(Duration, HasThreeDigitsAndAFittingUnit) {
  EXPECT_EQ(duration(0), "0 µs");
  EXPECT_EQ(duration(0.0000005), "0.5 µs");
  EXPECT_EQ(duration(41e-6), "41 µs");
  EXPECT_EQ(duration(123.4e-6), "123 µs");
  EXPECT_EQ(duration(1.5e-3), "1.5 ms");
  EXPECT_EQ(duration(12.34e-3), "12.3 ms");
  EXPECT_EQ(duration(0.999), "999 ms");
  EXPECT_EQ(duration(1), "1.0 s");
  EXPECT_EQ(duration(59.94), "59.9 s");
  EXPECT_EQ(duration(119.9), "119.9 s");
  EXPECT_EQ(duration(120), "2 min 0 s");
  EXPECT_EQ(duration(3605), "60 min 5 s");
}

TEST(Duration, RoundsIntoTheNextUnit) {
  EXPECT_EQ(duration(999.7e-6), "1 ms");
  EXPECT_EQ(duration(0.9997), "1.0 s");
  EXPECT_EQ(duration(119.96), "2 min 0 s");
  EXPECT_EQ(duration(179.7), "3 min 0 s");
}

}  // namespace
}  // namespace ordeal::report
