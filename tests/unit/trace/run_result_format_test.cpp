#include "trace/run_result_format.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "samples.h"
#include "tests/support/scale.h"
#include "trace/format.h"

namespace ordeal::trace {
namespace {

RunResult sample_result() {
  RunResult result;
  result.verdict = Verdict::kBug;
  result.model = "cpp20";
  result.options = {"--loop-bound=3"};
  result.arguments = {"-v", "a b"};
  result.executions = 6;
  result.blocked = 1;
  result.seconds = 0.0012;
  result.threads = 3;
  result.events = 17;
  result.bounds = {"the time"};
  result.notes = {"a note"};
  result.modules = {{"/tmp/a", 0x5000, 0x6000, "0a1b"}, {"/tmp/b", 0x7000, 0x8000, ""}};
  Bug bug;
  bug.kind = BugKind::kDataRace;
  bug.message = "m";
  bug.address = 0x5010;
  bug.size = 4;
  bug.parties = {{1, "writes 4 bytes", 0x5010, 3, {0x5100, 0x5200}}, {-1, "", 0, -1, {}, "a b.cpp", 7}};
  bug.count = 2;
  bug.output = "hello\n";
  result.bugs = {bug};
  return result;
}

std::string error_of(std::string_view text) {
  try {
    read_run_result(text);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ResultFormat, ExecutionsWithoutABugComeBack) {
  RunResult result = sample_result();
  result.shown.resize(2);
  result.shown[1].threads = {"main"};
  result.shown[1].locations = {{"", 0, 0x5010, 0, LocationSort::kMutex}};
  EXPECT_NE(write(result).find("\nexecution\nordeal-trace 2\n"), std::string::npos) << write(result);
  EXPECT_NE(write(result).find("\nlocation \"\" 0 address=0x5010 sort=mutex\n"), std::string::npos) << write(result);
  EXPECT_EQ(read_run_result(write(result)), result);
}

TEST(ResultFormat, SymmetricThreadsAreThereIfThereAreAny) {
  RunResult result = sample_result();
  result.symmetric = 4;
  const std::string text = write(result);
  EXPECT_NE(text.find("\nevents 17\nsymmetric 4\nbound "), std::string::npos) << text;
  EXPECT_EQ(read_run_result(text), result);
  EXPECT_THROW(read_run_result("ordeal-result 1\nverdict verified\nmodel \"sc\"\nexecutions 1\nblocked 0\nseconds 0\nthreads 1\nevents 1\nsymmetric 0\nend\n"),
               FormatError);
}

TEST(ResultFormat, GivenUpExecutionsAreThereIfThereAreAny) {
  RunResult result = sample_result();
  result.given_up = 12;
  const std::string text = write(result);
  EXPECT_NE(text.find("\nblocked 1\ngiven-up 12\nseconds "), std::string::npos) << text;
  EXPECT_EQ(read_run_result(text), result);
  EXPECT_THROW(read_run_result("ordeal-result 1\nverdict verified\nmodel \"sc\"\nexecutions 1\nblocked 0\ngiven-up 0\nseconds 0\nthreads 1\nevents 1\nend\n"), FormatError);
}

TEST(ResultFormat, SpuriousFailuresAreThereIfTheSearchWasCut) {
  RunResult result = sample_result();
  result.spurious = SpuriousCounts{12, 3, true};
  const std::string text = write(result);
  EXPECT_NE(text.find("\nevents 17\nspurious 12 blocked=3 after=all\nbound "), std::string::npos) << text;
  EXPECT_EQ(read_run_result(text), result);
  result.spurious->after_all_others = false;
  EXPECT_EQ(read_run_result(write(result)), result);
  EXPECT_THROW(read_run_result("ordeal-result 1\nverdict verified\nmodel \"sc\"\nexecutions 1\nblocked 0\nseconds 0\nthreads 1\nevents 1\nspurious 1 blocked=0 after=none\nend\n"),
               FormatError);
}

TEST(ResultFormat, ScAnalysisIsThereIfItWasAskedFor) {
  RunResult result = sample_result();
  result.sc = ScCounts{12, 3, 1};
  result.not_sc.resize(1);
  const std::string text = write(result);
  EXPECT_NE(text.find("\nevents 17\nsc 12 not=3 undecided=1\nbound "), std::string::npos) << text;
  EXPECT_NE(text.find("\nnot_sc\nordeal-trace 2\n"), std::string::npos) << text;
  EXPECT_EQ(read_run_result(text), result);
  EXPECT_THROW(read_run_result("ordeal-result 1\nverdict verified\nmodel \"sc\"\nexecutions 1\nblocked 0\nseconds 0\nthreads 1\nevents 1\nsc 1\nend\n"),
               FormatError);
}

TEST(ResultFormat, RandomTestingHasItsStrategySeedAndExecutions) {
  RunResult result = sample_result();
  result.strategy = "pct:3";
  result.seed = UINT64_MAX;
  result.first = 1000;
  result.atomics = 77;
  result.failed = 2;
  result.bugs[0].first = 1347;
  result.bugs[0].shown = 1352;
  const std::string text = write(result);
  EXPECT_NE(text.find("\nevents 17\nstrategy \"pct:3\" seed=18446744073709551615 first=1000 atomics=77 failed=2\nbound "), std::string::npos) << text;
  EXPECT_NE(text.find("\nbug data-race count=2 first=1347 shown=1352 address=0x5010 size=4\n"), std::string::npos) << text;
  EXPECT_EQ(read_run_result(text), result);
  const auto with = [&](const std::string& old, const std::string& replacement) {
    std::string changed = text;
    return error_of(changed.replace(changed.find(old), old.size(), replacement));
  };
  EXPECT_EQ(with("\"pct:3\"", "\"\""), "line 12: expected the name of a strategy in quotes, found \"\\\"\\\" seed=18446744073709551615 first=1000 \"");
  EXPECT_EQ(with(" seed=18446744073709551615", ""), "line 12: expected ' seed=', found \" first=1000 atomics=77 failed=2\"");
  EXPECT_EQ(with("first=1347", "first=-1"), "line 17: expected the number of an execution, found \"-1 shown=1352 address=0x5010 size=4\"");
}

TEST(ResultFormat, AResultIsLinesOfText) {
  EXPECT_EQ(write(sample_result()),
            "ordeal-result 1\n"
            "verdict bug\n"
            "model \"cpp20\"\n"
            "option \"--loop-bound=3\"\n"
            "argument \"-v\"\n"
            "argument \"a b\"\n"
            "executions 6\n"
            "blocked 1\n"
            "seconds 0.0012\n"
            "threads 3\n"
            "events 17\n"
            "bound \"the time\"\n"
            "note \"a note\"\n"
            "module \"/tmp/a\" base=0x5000 end=0x6000 build_id=\"0a1b\"\n"
            "module \"/tmp/b\" base=0x7000 end=0x8000\n"
            "bug data-race count=2 address=0x5010 size=4\n"
            "message \"m\"\n"
            "party 1 \"writes 4 bytes\" address=0x5010 before=3 stack=0x5100,0x5200\n"
            "party -1 \"\" line=7 of \"a b.cpp\"\n"
            "output \"hello\\n\"\n"
            "ordeal-trace 2\n"
            "program \"\"\n"
            "model \"\"\n"
            "ending complete\n"
            "end\n"
            "end\n");
}

TEST(ResultFormat, TheSampleComesBack) { EXPECT_EQ(read_run_result(write(sample_result())), sample_result()); }

TEST(ResultFormat, WhatCannotBeCheckedComesBack) {
  RunResult result;
  result.verdict = Verdict::kCannotCheck;
  result.cannot_check = "syscall futex";
  result.where = {1, 2, 3};
  result.parties = {{1, "made it", 0, -1, {4}}};
  const std::string text = write(result);
  EXPECT_NE(text.find("\ncannot_check \"syscall futex\"\nwhere 0x1,0x2,0x3\nparty 1 \"made it\" stack=0x4\nend\n"), std::string::npos) << text;
  EXPECT_EQ(read_run_result(text), result);
}

TEST(ResultFormat, TurnsThatWereKeptComeBack) {
  RunResult result;
  result.kept_turns = {{KeptOperation::kCompareExchange, KeptBy::kAcquire, 4, {1, 2}, KeptOperation::kLoad, {3}}, {KeptOperation::kCall, KeptBy::kLoadBuffering, 1, {5}, KeptOperation::kLoad, {}}};
  const std::string text = write(result);
  EXPECT_NE(text.find("\nkept compare-exchange acquire times=4 stack=0x1,0x2 because=load 0x3\nkept call load-buffering times=1 stack=0x5\nend\n"), std::string::npos) << text;
  EXPECT_EQ(read_run_result(text), result);
}

TEST(ResultFormat, RandomResultsComeBack) {
  for (int seed = 0; seed < tests::scaled(2000); ++seed) {
    base::Rng rng(static_cast<std::uint64_t>(seed));
    const RunResult result = testing::random_result(rng);
    const std::string text = write(result);
    ASSERT_EQ(read_run_result(text), result) << "seed " << seed << "\n" << text;
  }
}

TEST(ResultFormat, SecondsThatAreNoTimeAreWrittenAsZero) {
  for (const double seconds :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(), -1.0, -0.0}) {
    RunResult result;
    result.seconds = seconds;
    EXPECT_EQ(read_run_result(write(result)), RunResult{});
  }
}

TEST(ResultFormat, KindsAndVerdictsAreSpelledAsInJson) {
  EXPECT_EQ(word(BugKind::kUseAfterFree), "use-after-free");
  EXPECT_EQ(word(BugKind::kUninitialisedLoad), "uninitialised-load");
  EXPECT_EQ(word(BugKind::kLockMisuse), "lock-misuse");
  EXPECT_EQ(word(BugKind::kNoProgress), "no-progress");
  EXPECT_EQ(word(Verdict::kCannotCheck), "cannot-check");
}

TEST(ResultFormat, AResultThatWasCutOffIsRefused) {
  const std::string text = write(sample_result());
  for (std::size_t length = 0; length + 1 < text.size(); ++length)
    EXPECT_NE(error_of(text.substr(0, length)), "no error") << length << " of " << text.size() << " bytes";
  EXPECT_EQ(error_of(text.substr(0, text.size() - 4)),
            "line 26: expected a line 'end', found the end of the text: it was cut off");
}

TEST(ResultFormat, AnotherFileIsNoResult) {
  EXPECT_EQ(error_of(""), "line 1: this is not a result: expected the first line 'ordeal-result 1'");
  EXPECT_EQ(error_of("ordeal-trace 2\n"), "line 1: this is not a result: expected the first line 'ordeal-result 1'");
  EXPECT_EQ(error_of("ordeal-result 2\n"),
            "line 1: the result has format version 2, but this is a reader of version 1: it needs a newer Ordeal");
  EXPECT_EQ(error_of(write(sample_result()) + "x"), "line 27: expected nothing behind 'end'");
}

TEST(ResultFormat, ALineOfTheTraceHasItsNumberInTheWholeFile) {
  std::string text = write(sample_result());
  text.replace(text.find("ending complete"), 15, "ending complet");
  EXPECT_EQ(error_of(text), "line 24: expected 'complete' or 'blocked', found \"complet\"");
}

TEST(ResultFormat, FieldsAreChecked) {
  const auto with = [](const std::string& old, const std::string& replacement) {
    std::string text = write(sample_result());
    return error_of(text.replace(text.find(old), old.size(), replacement));
  };
  EXPECT_EQ(with("verdict bug", "verdict bugs"),
            "line 2: expected verified, sampled, bug, bounded or cannot-check, found \"bugs\"");
  EXPECT_EQ(with("model \"cpp20\"", "model cpp20"),
            "line 3: expected a text in quotes behind 'model', found \"cpp20\"");
  EXPECT_EQ(with("executions 6", "executions -6"), "line 7: expected a number behind 'executions', found \"-6\"");
  EXPECT_EQ(with("seconds 0.0012", "seconds -1"), "line 9: expected a number of seconds, found \"-1\"");
  EXPECT_EQ(with("seconds 0.0012", "seconds nan"), "line 9: expected a number of seconds, found \"nan\"");
  EXPECT_EQ(with("data-race", "data_race"),
            "line 16: expected the kind of a bug, found \"data_race count=2 address=0x5010 size=4\"");
  EXPECT_EQ(with("party -1", "party -2"), "line 19: expected the number of a thread, or -1, found \"-2 \\\"\\\" line=7 of \\\"a b.cpp\\\"\"");
  EXPECT_EQ(with("line=7 of", "line=7"), "line 19: expected ' of ' and a file in quotes, found \" \\\"a b.cpp\\\"\"");
  EXPECT_EQ(with(" base=0x5000", ""), "line 14: expected ' base=', found \" end=0x6000 build_id=\\\"0a1b\\\"\"");
  EXPECT_EQ(with("output ", "out "), "line 20: expected 'party' or 'output', found \"out \\\"hello\\\\n\\\"\"");
}

}  // namespace
}  // namespace ordeal::trace
