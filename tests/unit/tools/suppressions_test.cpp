#include "tools/suppressions.h"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "tools/child_process.h"

namespace ordeal::tools {
namespace {

bool matches(const char* pattern, const char* name) { return Suppressions::matches(pattern, name); }

TEST(Suppressions, APatternIsAPartOfTheName) {
  EXPECT_TRUE(matches("push", "Queue::push"));
  EXPECT_TRUE(matches("Queue", "Queue::push"));
  EXPECT_TRUE(matches("e::p", "Queue::push"));
  EXPECT_FALSE(matches("pop", "Queue::push"));
  EXPECT_FALSE(matches("push", ""));
}

TEST(Suppressions, AnchorsSayWhereItStands) {
  EXPECT_TRUE(matches("^Queue", "Queue::push"));
  EXPECT_FALSE(matches("^push", "Queue::push"));
  EXPECT_TRUE(matches("push$", "Queue::push"));
  EXPECT_FALSE(matches("Queue$", "Queue::push"));
  EXPECT_TRUE(matches("^main$", "main"));
  EXPECT_FALSE(matches("^main$", "main2"));
  EXPECT_FALSE(matches("^main$", "a_main"));
}

TEST(Suppressions, AStarIsAnything) {
  EXPECT_TRUE(matches("Queue*push", "Queue<int>::push"));
  EXPECT_TRUE(matches("Queue*push", "Queuepush"));
  EXPECT_FALSE(matches("push*Queue", "Queue::push"));
  EXPECT_TRUE(matches("^a*c*$", "abcd"));
  EXPECT_FALSE(matches("^a*c$", "abcd"));
  EXPECT_TRUE(matches("^*d$", "abcd"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_FALSE(matches("^aa*aa$", "aaa"));  // the parts must not overlap
  EXPECT_TRUE(matches("^aa*aa$", "aaaa"));
  EXPECT_TRUE(matches("^Queue<*>::push$", "Queue<int, 3>::push"));
}

TEST(Suppressions, ALineThatIsNotUnderstoodIsTold) {
  const TemporaryDirectory folder;
  const std::string file = folder.path() + "/suppressions.txt";
  const auto error_of = [&](const char* text) -> std::string {
    std::ofstream(file) << text;
    try {
      Suppressions suppressions(file);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error_of("# comment\n\n race:f\nrace_top:g\ncalled_from_lib:libz.so\ndeadlock:h\nmutex:i\nthread:j\nsignal:k\r\n"), "");
  EXPECT_NE(error_of("race:f\nraces:g\n").find(":2: 'races:g' is not understood"), std::string::npos);
  EXPECT_NE(error_of("race:\n").find(":1: 'race:' is not understood"), std::string::npos);
  EXPECT_NE(error_of("race\n").find(":1: 'race' is not understood"), std::string::npos);
  EXPECT_THROW(Suppressions("/no/such/file"), std::runtime_error);
}

trace::RunResult result_with(std::vector<trace::BugKind> kinds) {
  trace::RunResult result;
  result.verdict = trace::Verdict::kBug;
  result.strategy = "random";
  result.failed = 5;
  result.modules = {{"/opt/lib/libqueue.so", 0x1000, 0x2000, ""}, {"/opt/program", 0x5000, 0x6000, ""}};
  for (const trace::BugKind kind : kinds) {
    trace::Bug bug;
    bug.kind = kind;
    bug.parties = {{1, "", 0, -1, {0x5100, 0x5200}}, {2, "", 0, -1, {0x1100, 0x5300}}};
    result.bugs.push_back(bug);
  }
  return result;
}

trace::RunResult applied(const char* text, trace::RunResult result) {
  const TemporaryDirectory folder;  // tests run beside each other
  const std::string file = folder.path() + "/applied.txt";
  std::ofstream(file) << text;
  Suppressions(file).apply(result);
  return result;
}

TEST(Suppressions, TakeOutWhatTheyAreFor) {
  using trace::BugKind;
  const auto all = {BugKind::kDataRace, BugKind::kDeadlock, BugKind::kLockMisuse, BugKind::kAssertion};
  const trace::RunResult races = applied("race:libqueue\n", result_with(all));
  ASSERT_EQ(races.bugs.size(), 3U);
  EXPECT_EQ(races.bugs[0].kind, BugKind::kDeadlock);
  EXPECT_EQ(races.verdict, trace::Verdict::kBug);
  EXPECT_EQ(races.failed, 0U);  // not known any more
  EXPECT_EQ(applied("deadlock:libqueue\n", result_with(all)).bugs[1].kind, BugKind::kLockMisuse);
  EXPECT_EQ(applied("mutex:libqueue\n", result_with(all)).bugs[2].kind, BugKind::kAssertion);
  EXPECT_EQ(applied("thread:libqueue\nsignal:libqueue\nrace:nowhere\n", result_with(all)), result_with(all));
}

TEST(Suppressions, TheInnermostFrameOfEitherSideCounts) {
  const auto left = [](const char* text) { return applied(text, result_with({trace::BugKind::kDataRace})).bugs.size(); };
  EXPECT_EQ(left("race_top:libqueue.so$\n"), 0U);
  EXPECT_EQ(left("called_from_lib:^libqueue.so$\n"), 0U);
  EXPECT_EQ(left("called_from_lib:^program2\n"), 1U);
  EXPECT_EQ(left("race:^/opt/program$\n"), 0U);
}

TEST(Suppressions, WithoutABugTheVerdictIsSampledAndANoteTells) {
  trace::RunResult result = applied("race:libqueue\n", result_with({trace::BugKind::kDataRace, trace::BugKind::kDataRace}));
  EXPECT_EQ(result.verdict, trace::Verdict::kSampled);
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_NE(result.notes[0].find("2 bugs are suppressed by "), std::string::npos) << result.notes[0];
  EXPECT_NE(result.notes[0].find(": race:libqueue (2)"), std::string::npos) << result.notes[0];
  trace::RunResult interrupted = result_with({trace::BugKind::kDataRace});
  interrupted.bounds = {"interrupted"};
  EXPECT_EQ(applied("race:libqueue\n", interrupted).verdict, trace::Verdict::kBounded);
}

}  // namespace
}  // namespace ordeal::tools
