#include "report/check_json.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "fake_names.h"
#include "trace/format.h"
#include "trace/run_result_format.h"

namespace ordeal::report {
namespace {

using model::MemoryOrder;
using testing::FakeNames;
using testing::TraceMaker;
using trace::Bug;
using trace::BugKind;
using trace::RunResult;
using trace::Verdict;

TEST(CheckJson, AVerifiedProgramIsOneObject) {
  RunResult result;
  result.model = "cpp20";
  result.executions = 6;
  result.seconds = 0.5;
  result.threads = 2;
  result.events = 9;
  result.notes = {"n"};
  FakeNames names;
  CheckOptions options;
  options.program = "counter.cpp";
  EXPECT_EQ(check_json(result, names, options),
            "{\"version\":1,\"verdict\":\"verified\",\"program\":\"counter.cpp\",\"model\":\"cpp20\",\"executions\":6,\"blocked\":0,\"given_up\":0,"
            "\"seconds\":0.5,\"threads\":2,\"events\":9,\"bounds\":[],\"notes\":[\"n\"],\"kept_turns\":[],\"bugs\":[]}\n");
}

TEST(CheckJson, SymmetricThreadsAreThereIfThereAreAny) {
  RunResult result;
  FakeNames names;
  EXPECT_FALSE(nlohmann::json::parse(check_json(result, names, {})).contains("symmetric_threads"));
  result.symmetric = 4;
  EXPECT_EQ(nlohmann::json::parse(check_json(result, names, {}))["symmetric_threads"], 4);
}

TEST(CheckJson, SpuriousFailuresAreThereIfTheSearchWasCut) {
  RunResult result;
  FakeNames names;
  EXPECT_FALSE(nlohmann::json::parse(check_json(result, names, {})).contains("spurious"));
  result.spurious = trace::SpuriousCounts{4, 2, true};
  EXPECT_EQ(nlohmann::json::parse(check_json(result, names, {}))["spurious"].dump(), "{\"after_all_others\":true,\"blocked\":2,\"executions\":4}");
}

TEST(CheckJson, ScAnalysisIsCountedIfItWasAskedFor) {
  RunResult result;
  FakeNames names;
  EXPECT_FALSE(nlohmann::json::parse(check_json(result, names, {})).contains("sc_executions"));
  result.sc = trace::ScCounts{12, 3, 0};
  const nlohmann::json json = nlohmann::json::parse(check_json(result, names, {}));
  EXPECT_EQ(json["sc_executions"], 12);
  EXPECT_EQ(json["non_sc_executions"], 3);
  EXPECT_FALSE(json.contains("sc_undecided"));
  result.sc->undecided = 1;
  EXPECT_EQ(nlohmann::json::parse(check_json(result, names, {}))["sc_undecided"], 1);
}

RunResult with_race() {
  RunResult result;
  result.verdict = Verdict::kBug;
  result.model = "cpp20";
  Bug bug;
  bug.kind = BugKind::kDataRace;
  TraceMaker events(bug.trace, {"main", "thread 1"});
  const int x = events.location(0x100);
  const trace::EventName store = events.write(0, x, 3, MemoryOrder::kPlain, 41);
  events.read(1, x, 3, MemoryOrder::kRelaxed, store, 57);
  bug.address = 0x100;
  bug.size = 4;
  bug.parties = {{0, "writes 4 bytes", 0x100, -1, {41, 1000}}, {1, "reads 4 bytes", 0x100, -1, {57, 1000}}};
  bug.count = 2;
  bug.output = "hi\n";
  result.bugs = {bug};
  return result;
}

TEST(CheckJson, ABugHasTheFieldsThatArePromised) {
  FakeNames names;
  CheckOptions options;
  options.replays = {"r.replay"};
  const auto json = nlohmann::json::parse(check_json(with_race(), names, options));
  const auto& bug = json["bugs"][0];
  EXPECT_EQ(json["verdict"], "bug");
  EXPECT_EQ(bug["kind"], "data-race");
  EXPECT_EQ(bug["message"], "data race on 'x': main writes at queue.cpp:41, thread 1 reads at queue.cpp:57");
  EXPECT_EQ(bug["file"], "queue.cpp");
  EXPECT_EQ(bug["line"], 41);
  EXPECT_EQ(bug["replay"], "r.replay");
  EXPECT_EQ(bug["count"], 2);
  EXPECT_EQ(bug["output"], "hi\n");
  EXPECT_EQ(bug["threads"][1], nlohmann::json::parse(R"({"name": "thread 1", "what": "reads 4 bytes", "memory": "'x'",
      "function": "f57", "file": "queue.cpp", "line": 57, "column": 3, "stack": [
      {"function": "f57", "file": "queue.cpp", "line": 57, "column": 3},
      {"function": "f1000", "file": "queue.cpp", "line": 1000, "column": 3}]})"));
  EXPECT_EQ(bug["events"][1], nlohmann::json::parse(R"({"row": "b", "position": 1, "thread": "thread 1", "index": 0, "kind": "read",
      "order": "relaxed", "location": "x", "value": 3, "value_text": "3", "reads_from": "a",
      "function": "f57", "file": "queue.cpp", "line": 57, "column": 3})"));
}

/// Message passing that went wrong, then a read that must not be older: main writes x = 1, x = 2 and y = 1 (release); thread 1 reads y = 1
/// (acquire), and so only the last x; thread 2 reads y = 1 relaxed, x = 0, and then x = 1.
TEST(CheckJson, ReadsHaveWhatTheyCouldHaveReadAndWhyNotTheRest) {
  RunResult result;
  result.verdict = Verdict::kBug;
  Bug& bug = result.bugs.emplace_back();
  bug.kind = BugKind::kAssertion;
  bug.trace = trace::read(
      "ordeal-trace 2\nprogram \"p\"\nmodel \"cpp20\"\nending complete\nthread \"main\"\nthread \"thread 1\"\nthread \"thread 2\"\nlocation \"x\" 0\nlocation \"y\" 0\n"
      "event 0.0 write relaxed inserted=0 location=0 value=1\n"
      "event 0.1 write relaxed inserted=1 location=0 value=2\n"
      "event 0.2 write release inserted=2 location=1 value=1\n"
      "event 1.0 read acquire inserted=3 location=1 value=1 rf=0.2\n"
      "event 1.1 read relaxed inserted=4 location=0 value=2 rf=0.1\n"
      "event 2.0 read relaxed inserted=5 location=1 value=1 rf=0.2\n"
      "event 2.1 read relaxed inserted=6 location=0 rf=initial.0\n"
      "event 2.2 read relaxed inserted=7 location=0 value=1 rf=0.0 expected=7 otherwise=relaxed\n"
      "end\n");
  FakeNames names;
  const nlohmann::json json = nlohmann::json::parse(check_json(result, names, {}));
  const nlohmann::json& events = json["bugs"][0]["events"];
  EXPECT_EQ(json["bugs"][0]["sc"], false);
  std::map<std::string, std::string> letters;  // by thread and index
  for (const nlohmann::json& event : events) letters[event["thread"].get<std::string>() + "." + event["index"].dump()] = event["row"];
  const auto candidates = [&](std::size_t event) {
    std::map<std::string, std::string> found;  // store → why not; "": it could
    for (const nlohmann::json& store : events[event]["candidates"]) {
      EXPECT_EQ(store["can"].get<bool>(), !store.contains("excluded"));
      found[store["store"]] = store.value("excluded", "");
    }
    return found;
  };
  using Found = std::map<std::string, std::string>;
  const std::string one = letters["main.0"], two = letters["main.1"], flag = letters["main.2"];
  EXPECT_EQ(candidates(3), (Found{{"init", ""}, {flag, ""}}));
  EXPECT_EQ(candidates(4), (Found{{"init", "overwritten"}, {one, "overwritten"}, {two, ""}}));
  EXPECT_EQ(candidates(6), (Found{{"init", ""}, {one, ""}, {two, ""}}));
  EXPECT_EQ(candidates(7), (Found{{"init", ""}, {one, ""}, {two, ""}}));  // before it only the initial value was read
  for (const nlohmann::json& store : events[4]["candidates"]) {  // the initial value is overwritten by both
    if (store["store"] == two) EXPECT_FALSE(store.contains("by"));
    else EXPECT_TRUE(store["by"] == two || (store["store"] == "init" && store["by"] == one)) << store;
  }
  EXPECT_EQ(events[7]["expected"], 7);
  EXPECT_FALSE(events[0].contains("candidates"));
  // In the order of the rows each read that does not read the last store above it says which that is.
  std::map<std::size_t, std::size_t> by_position;
  for (std::size_t e = 0; e < events.size(); ++e) by_position[events[e]["position"]] = e;
  std::map<std::string, std::string> memory;
  int surprising = 0;
  for (const auto& [position, e] : by_position) {
    const nlohmann::json& event = events[e];
    if (event["kind"] == "write") memory[event["location"]] = event["row"];
    if (event["kind"] != "read") continue;
    const std::string last = memory.contains(event["location"]) ? memory[event["location"]] : "init";
    EXPECT_EQ(event.value("skips", event["reads_from"].get<std::string>()), last) << event;
    surprising += event.contains("skips") ? 1 : 0;
  }
  EXPECT_EQ(surprising, 2);  // both reads of x in thread 2: 2 is in memory before y is
}

TEST(CheckJson, WhatIsNotKnownIsNull) {
  RunResult result = with_race();
  result.bugs[0].parties.clear();
  FakeNames names;
  const auto json = nlohmann::json::parse(check_json(result, names, {}));
  EXPECT_TRUE(json["bugs"][0]["file"].is_null());
  EXPECT_TRUE(json["bugs"][0]["line"].is_null());
  EXPECT_TRUE(json["bugs"][0]["replay"].is_null());
}

TEST(CheckJson, EveryKindIsSpelledAsPromised) {
  const std::vector<std::string> expected{
      "data-race",    "assertion",     "exception",          "abort",          "signal",
      "exit-code",    "deadlock",      "no-progress",        "use-after-free", "double-free",
      "invalid-free", "out-of-bounds", "uninitialised-load", "leak",           "lock-misuse",
      "mismatched-free"};
  for (std::size_t kind = 0; kind < expected.size(); ++kind) {
    RunResult result = with_race();
    result.bugs[0].kind = static_cast<BugKind>(kind);
    FakeNames names;
    EXPECT_EQ(nlohmann::json::parse(check_json(result, names, {}))["bugs"][0]["kind"], expected[kind]);
  }
}

TEST(CheckJson, AnyBytesBecomeValidUtf8) {
  RunResult result = with_race();
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  result.model = result.bugs[0].message = result.bugs[0].output = result.bugs[0].trace.threads[0] = all;
  result.bugs[0].parties[0].what = all;
  result.notes = result.bounds = {all};
  FakeNames names;
  names.variables[0x100] = all;
  CheckOptions options;
  options.program = all;
  options.replays = {all};
  const std::string text = check_json(result, names, options);
  EXPECT_TRUE(nlohmann::json::accept(text));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

TEST(CheckJson, WhatCannotBeCheckedHasAReason) {
  RunResult result;
  result.verdict = Verdict::kCannotCheck;
  result.cannot_check = "fork";
  result.where = {12};
  FakeNames names;
  const auto json = nlohmann::json::parse(check_json(result, names, {}));
  EXPECT_EQ(json["verdict"], "cannot-check");
  EXPECT_EQ(json["reason"], "fork");
  EXPECT_EQ(json["line"], 12);
}

TEST(CheckJson, WhoTookPartIsThere) {
  RunResult result;
  result.verdict = Verdict::kBounded;
  result.parties = {{2, "made 5 operations", 0, -1, {12}}};
  FakeNames names;
  const auto json = nlohmann::json::parse(check_json(result, names, {}));
  EXPECT_EQ(json["parties"][0]["name"], "thread 2");
  EXPECT_EQ(json["parties"][0]["what"], "made 5 operations");
  EXPECT_EQ(json["parties"][0]["line"], 12);
}

}  // namespace
}  // namespace ordeal::report
