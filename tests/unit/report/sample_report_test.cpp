// What `ordeal test` prints, written by hand.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "fake_names.h"
#include "report/check_json.h"
#include "report/check_report.h"

namespace ordeal::report {
namespace {

using testing::FakeNames;
using trace::Bug;
using trace::BugKind;
using trace::RunResult;
using trace::Verdict;

RunResult sample(Verdict verdict) {
  RunResult result;
  result.verdict = verdict;
  result.model = "cpp20";
  result.strategy = "portfolio";
  result.seed = 1;
  result.executions = 1000;
  result.seconds = 0.005;
  result.threads = 3;
  result.events = 45;
  result.atomics = 12000;
  return result;
}

/// A race on heap memory, as the process tells it: no events.
Bug race() {
  Bug bug;
  bug.kind = BugKind::kDataRace;
  bug.address = 0x100;
  bug.size = 4;
  bug.count = 347;
  bug.first = bug.shown = 3;
  bug.trace.threads = {"main", "thread 1", "thread 2"};
  bug.trace.objects = {{0x100, 32, 0, {12, 30}, 1, {44}, 0, 0}};
  bug.parties = {{2, "reads 4 bytes", 0x100, -1, {57, 20}}, {1, "writes 4 bytes", 0x100, -1, {41}}};
  return bug;
}

std::string text_of(const RunResult& result, CheckOptions options = {}) {
  FakeNames names;
  options.program = "queue.cpp";
  return check_report(result, names, options);
}

TEST(SampleReport, ARaceShowsBothStacksTheBlockAndHowOften) {
  RunResult result = sample(Verdict::kBug);
  result.failed = 400;
  result.bugs = {race()};
  CheckOptions options;
  options.replays = {"race.replay"};
  EXPECT_EQ(text_of(result, options),
            "data race on 'x': thread 2 reads at queue.cpp:57, thread 1 writes at queue.cpp:41\n"
            "\n"
            "  Nothing orders the two accesses: neither happens before the other.\n"
            "\n"
            "  thread 2 reads 4 bytes\n"
            "    #0 f57  queue.cpp:57\n"
            "    #1 f20  queue.cpp:20\n"
            "  thread 1 writes 4 bytes\n"
            "    #0 f41  queue.cpp:41\n"
            "  the block of 32 bytes was allocated by main\n"
            "    #0 f12  queue.cpp:12\n"
            "    #1 f30  queue.cpp:30\n"
            "  the block of 32 bytes was freed by thread 1\n"
            "    #0 f44  queue.cpp:44\n"
            "\n"
            "In 347 of 1,000 executions (34.7 %), first in number 3.\n"
            "To see it again: ordeal replay race.replay\n"
            "\n"
            "bug: 1 bug, in 400 of 1,000 executions (40.0 %) of queue.cpp (seed 1, strategy portfolio, at most 3 threads, 45 operations) in 5 ms, 200,000 a second\n");
}

TEST(SampleReport, WithoutAReplayFileTheCommandIsTold) {
  RunResult result = sample(Verdict::kBug);
  result.strategy = "pct:3";
  result.seed = 7;
  result.bugs = {race()};
  const std::string text = text_of(result);
  EXPECT_NE(text.find("\nTo see it again: ordeal test --strategy pct:3 --seed 7 --first 3 --executions 1 queue.cpp\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nbug: 1 bug in 1,000 executions of queue.cpp (seed 7, strategy pct:3,"), std::string::npos) << text;  // how many had one is not known
}

TEST(SampleReport, NothingIsSaidOfWhatThreadsDidBefore) {
  RunResult result = sample(Verdict::kBug);
  result.bugs = {race()};
  EXPECT_EQ(text_of(result).find("synchronised"), std::string::npos);
}

TEST(SampleReport, ADeepStackIsAligned) {
  RunResult result = sample(Verdict::kBug);
  Bug bug;
  bug.kind = BugKind::kAbort;
  bug.count = 1;
  bug.trace.threads = {"main"};
  bug.parties = {{0, "", 0, -1, {101, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}};
  result.bugs = {bug};
  const std::string text = text_of(result);
  EXPECT_NE(text.find("\n  main\n    #0  f101  queue.cpp:101\n    #1  f2    queue.cpp:2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n    #10 f11   queue.cpp:11\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("called by"), std::string::npos) << text;
  EXPECT_NE(text.find("\nIn 1 of 1,000 executions (0.1 %), first in number 0.\n"), std::string::npos) << text;
  result.bugs[0].shown = 12;
  EXPECT_NE(text_of(result).find(", first in number 0; shown is the shortest, number 12.\n"), std::string::npos) << text_of(result);
}

TEST(SampleReport, NoBugSaysHowManyExecutionsWhichSeedAndStrategy) {
  RunResult result = sample(Verdict::kSampled);
  EXPECT_EQ(text_of(result), "sampled: no bug in 1,000 executions of queue.cpp (seed 1, strategy portfolio, at most 3 threads, 45 operations) in 5 ms, 200,000 a second\n");
  result.first = 2000;
  EXPECT_EQ(text_of(result),
            "sampled: no bug in 1,000 executions of queue.cpp (seed 1, strategy portfolio, from number 2,000 on, at most 3 threads, 45 operations) in 5 ms, 200,000 a "
            "second\n");
}

TEST(SampleReport, WhatWasInterruptedIsBounded) {
  RunResult result = sample(Verdict::kBounded);
  result.executions = 1;
  result.bounds = {"interrupted"};
  EXPECT_EQ(text_of(result),
            "bounded: no bug in 1 execution of queue.cpp (seed 1, strategy portfolio, at most 3 threads, 45 operations) in 5 ms\n"
            "cut short: interrupted\n");
}

TEST(SampleReport, WhatCannotBeCheckedSaysWhy) {
  RunResult result = sample(Verdict::kCannotCheck);
  result.cannot_check = "the strategy 'a.so' cannot be used: it has no name";
  EXPECT_EQ(text_of(result), "cannot check queue.cpp: the strategy 'a.so' cannot be used: it has no name\n");
}

TEST(SampleReport, JsonHasRatesNumbersAndStacks) {
  RunResult result = sample(Verdict::kBug);
  result.first = 2000;
  result.failed = 400;
  result.bugs = {race()};
  FakeNames names;
  const nlohmann::json json = nlohmann::json::parse(check_json(result, names, {}));
  EXPECT_EQ(json["executions"], 1000);
  EXPECT_EQ(json["seed"], 1);
  EXPECT_EQ(json["first"], 2000);
  EXPECT_EQ(json["strategy"], "portfolio");
  EXPECT_EQ(json["failed"], 400);
  EXPECT_EQ(json["atomics"], 12000);
  const nlohmann::json& bug = json["bugs"][0];
  EXPECT_EQ(bug["count"], 347);
  EXPECT_DOUBLE_EQ(bug["rate"].get<double>(), 0.347);
  EXPECT_EQ(bug["first"], 3);
  EXPECT_EQ(bug["threads"][0]["stack"][1]["function"], "f20");
  EXPECT_EQ(bug["threads"][1]["stack"][0]["line"], 41);
  EXPECT_EQ(bug["allocated"][1]["line"], 30);
  EXPECT_EQ(bug["freed"][0]["line"], 44);
}

TEST(SampleReport, ACheckHasNoSeedInItsJson) {
  RunResult result;
  FakeNames names;
  EXPECT_FALSE(nlohmann::json::parse(check_json(result, names, {})).contains("seed"));
}

}  // namespace
}  // namespace ordeal::report
