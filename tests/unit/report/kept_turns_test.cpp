#include "report/kept_turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "fake_names.h"
#include "report/check_json.h"
#include "report/check_report.h"

namespace ordeal::report {
namespace {

using testing::FakeNames;
using trace::KeptBy;
using trace::KeptOperation;
using trace::RunResult;

/// Code address 41 is line 41 of queue.cpp.
RunResult sample() {
  RunResult result;
  result.kept_turns = {{KeptOperation::kCompareExchange, KeptBy::kAcquire, 4, {31}, KeptOperation::kLoad, {28}},
                       {KeptOperation::kLoad, KeptBy::kStore, 2, {9}, KeptOperation::kLoad, {10}}};
  return result;
}

TEST(KeptTurns, EachIsALineInTheOrderOfTheSource) {
  FakeNames names;
  EXPECT_EQ(kept_turns_text(sample(), names),
            "turns of loops that were explored, and what kept them:\n"
            "  queue.cpp:9 load: the store at line 10 is one that others may read\n"
            "  queue.cpp:31 compare-exchange: the load at line 28 acquires, the failed compare-exchange does not\n");
}

TEST(KeptTurns, TheSamePlaceInTwoPiecesOfCodeIsOne) {
  RunResult result = sample();
  result.kept_turns.push_back(result.kept_turns.front());
  result.kept_turns.back().stack.push_back(77);  // called from elsewhere
  result.kept_turns.back().times = 3;
  FakeNames names;
  const std::vector<KeptPlace> places = kept_places(result, names);
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places[1].times, 7U);
}

TEST(KeptTurns, OfManyTheRestIsCounted) {
  RunResult result;
  for (trace::CodeAddress line = 1; line <= 43; ++line) result.kept_turns.push_back({KeptOperation::kLoad, KeptBy::kClock, 1, {line}, KeptOperation::kLoad, {}});
  FakeNames names;
  const std::string text = kept_turns_text(result, names);
  EXPECT_NE(text.find("  queue.cpp:40 load: it looks at a clock\n  and 3 more (--json has all)\n"), std::string::npos) << text;
}

TEST(KeptTurns, EveryConditionHasItsOwnSentence) {
  std::vector<std::string> texts;
  for (int by = 0; by <= static_cast<int>(KeptBy::kLoadBuffering); ++by) {
    const std::string text = reason_text({{}, {}, KeptOperation::kLoad, KeptOperation::kLoad, static_cast<KeptBy>(by), 1});
    EXPECT_EQ(std::count(texts.begin(), texts.end(), text), 0) << text;
    texts.push_back(text);
  }
}

TEST(KeptTurns, TheTerminalShowsThemOnRequestOnly) {
  FakeNames names;
  CheckOptions options;
  EXPECT_EQ(check_report(sample(), names, options).find("turns of loops"), std::string::npos);
  options.length = Length::kFull;
  EXPECT_NE(check_report(sample(), names, options).find("turns of loops"), std::string::npos);
}

TEST(KeptTurns, JsonHasThemAll) {
  FakeNames names;
  const nlohmann::json json = nlohmann::json::parse(check_json(sample(), names, {}))["kept_turns"];
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json[1]["file"], "queue.cpp");
  EXPECT_EQ(json[1]["line"], 31);
  EXPECT_EQ(json[1]["operation"], "compare-exchange");
  EXPECT_EQ(json[1]["condition"], "acquire");
  EXPECT_EQ(json[1]["because"]["line"], 28);
  EXPECT_EQ(json[1]["times"], 4);
}

}  // namespace
}  // namespace ordeal::report
