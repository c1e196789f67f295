// What a long table shows: rows that the bug is about.
#include "report/relevance.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fake_names.h"

namespace ordeal::report {
namespace {

using model::MemoryOrder;
using testing::FakeNames;
using testing::TraceMaker;
using trace::BugKind;
using trace::EventName;

/// A message by relaxed accesses to x, among thirty stores to another variable, and a race on what it guards.
struct LongRace {
  explicit LongRace(BugKind kind) : events(bug.trace, {"main", "thread 1", "thread 2"}) {
    bug.kind = kind;
    bug.trace.model = "cpp20";
    const int x = events.location(0x100), noise = events.location(0x200);
    for (int i = 0; i < 30; ++i) events.write(0, noise, i, MemoryOrder::kRelaxed, 5);
    const EventName sent = events.write(1, x, 1, MemoryOrder::kRelaxed, 10);
    events.read(2, x, 1, MemoryOrder::kRelaxed, sent, 20);
    bug.address = 0x500;
    bug.parties = {{1, "writes 4 bytes", 0x500, 0, {41}}, {2, "reads 4 bytes", 0x500, 1, {57}}};
  }
  std::vector<bool> relevant(const std::vector<std::string>& sentences) {
    FakeNames names;
    return relevant_events(BugView(bug, names), sentences);
  }
  trace::Bug bug;
  TraceMaker events;
};

TEST(Relevance, WhatTheSentencesCiteMattersWithWhatItReads) {
  LongRace story(BugKind::kDataRace);
  const std::vector<bool> none = story.relevant({});
  ASSERT_EQ(none.size(), 32u);
  EXPECT_EQ(std::count(none.begin(), none.end(), true), 0);
  FakeNames names;
  const std::string row = BugView(story.bug, names).rows().letter(31);
  const std::vector<bool> cited = story.relevant({"thread 2 reads 'x' = 1 [" + row + "], too early."});
  EXPECT_EQ(std::count(cited.begin(), cited.end(), true), 2);
  EXPECT_TRUE(cited[30] && cited[31]);
}

TEST(Relevance, AccessesToTheMemoryOfTheBugMatter) {
  LongRace story(BugKind::kUninitialisedLoad);
  story.bug.address = 0x100;
  const std::vector<bool> found = story.relevant({});
  EXPECT_EQ(std::count(found.begin(), found.end(), true), 2);
  EXPECT_TRUE(found[30] && found[31]);
}

TEST(Relevance, AnAssertionMayDependOnAnything) { EXPECT_TRUE(LongRace(BugKind::kAssertion).relevant({"[a]"}).empty()); }

TEST(Relevance, WhatIsCitedIsShownHoweverLongTheTableIs) {
  trace::Bug bug;
  TraceMaker events(bug.trace, {"main", "thread 1", "thread 2"});
  bug.kind = BugKind::kAssertion;
  bug.trace.model = "cpp20";
  const int x = events.location(0x100), y = events.location(0x200);
  for (int i = 0; i < 10; ++i) events.write(1, y, i, MemoryOrder::kRelaxed, 10);
  const EventName middle = events.write(1, x, 1, MemoryOrder::kRelaxed, 11);
  for (int i = 10; i < 90; ++i) events.write(1, y, i, MemoryOrder::kRelaxed, 10);
  events.read(2, x, 1, MemoryOrder::kRelaxed, middle, 20);
  FakeNames names;
  const BugView view(bug, names);
  TableTexts texts = view.texts();
  const std::string letter = view.rows().letter(bug.trace.events.size() - 1);
  const auto table = [&] { return execution_table(bug.trace, texts, {0, Length::kCut}); };
  EXPECT_EQ(table().find("x = 1"), std::string::npos);
  texts.cited = cited_events(view, {"thread 2 reads 'x' = 1 [" + letter + "]."});
  EXPECT_NE(table().find("x = 1"), std::string::npos);
  EXPECT_EQ(std::count(texts.cited.begin(), texts.cited.end(), true), 2);
}

TEST(Relevance, OnlyALongTableIsFoldedAndSaysSo) {
  LongRace story(BugKind::kDataRace);
  FakeNames names;
  const BugView view(story.bug, names);
  TableTexts texts = view.texts();
  const auto rows = [&](Length length) {
    const std::string table = execution_table(story.bug.trace, texts, {0, length});
    return std::count(table.begin(), table.end(), '\n') - 1;  // without the heading
  };
  EXPECT_EQ(rows(Length::kFull), 34);  // with the two accesses
  texts.relevant.assign(32, false);
  texts.relevant[30] = texts.relevant[31] = true;
  EXPECT_EQ(rows(Length::kFull), 34);
  EXPECT_EQ(rows(Length::kCut), 5);  // two rows, two accesses, and how many are left out
  EXPECT_NE(execution_table(story.bug.trace, texts, {0, Length::kCut}).find("30 rows left out, --full shows all"), std::string::npos);
}

}  // namespace
}  // namespace ordeal::report
