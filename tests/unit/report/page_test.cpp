#include "report/page.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "fake_names.h"

namespace ordeal::report {
namespace {

using model::MemoryOrder;
using nlohmann::json;
using testing::FakeNames;
using testing::TraceMaker;
using trace::Bug;
using trace::BugKind;
using trace::RunResult;

/// "queue.cpp" has 100 lines, others are not there.
SourceText hundred_lines(const std::string& file) {
  SourceText source;
  if (file != "queue.cpp") return source;
  source.is_there = true;
  for (int i = 1; i <= 100; ++i) source.text += "line " + std::to_string(i) + "\n";
  return source;
}

Page empty_page() { return Page({"ordeal 1", "queue", hundred_lines}); }

RunResult racy() {
  RunResult result = testing::race_beside_flag();
  result.bugs.front().output = "hi\x1b[31m\n";
  return result;
}

json data_of(const RunResult& result, const std::vector<std::string>& replays = {"r.replay"}) {
  FakeNames names;
  Page page = empty_page();
  page.add(result, names, replays);
  page.set_summary("bug", "cpp20", "bug: one\nnote: two\n");
  return json::parse(page.data());
}

std::ptrdiff_t row_with(const json& execution, const std::string& start) {
  for (std::size_t i = 0; i < execution["rows"].size(); ++i)
    if (execution["rows"][i]["text"].get<std::string>().starts_with(start)) return static_cast<std::ptrdiff_t>(i);
  return -9;
}

TEST(Page, ABugHasItsHeadlineItsReasonsAndTheWayToSeeItAgain) {
  const json data = data_of(racy());
  EXPECT_EQ(data["version"], 1);
  EXPECT_EQ(data["tool"], "ordeal 1");
  EXPECT_EQ(data["model"], "cpp20");
  EXPECT_EQ(data["summary"], json({"bug: one", "note: two"}));
  const json& bug = data["executions"][0];
  EXPECT_EQ(bug["title"], "data race on 'x': main reads at queue.cpp:14, thread 1 writes at queue.cpp:29");
  EXPECT_EQ(bug["kind"], "data-race");
  EXPECT_FALSE(bug["why"].empty());
  EXPECT_EQ(bug["replay"], "ordeal replay r.replay");
  EXPECT_EQ(bug["output"], "hi\\x1b[31m\n") << "no escape sequence of the program";
  EXPECT_EQ(bug["threads"], json({"main", "thread 1"}));
  EXPECT_EQ(data_of(racy(), {})["executions"][0]["replay"], "");
}

TEST(Page, RowsAreEventsAndWhatIsNone) {
  const json bug = data_of(racy())["executions"][0];
  ASSERT_EQ(bug["rows"].size(), 6);
  const json& write = bug["rows"][row_with(bug, "writes x")];
  EXPECT_EQ(write["letter"], "");
  EXPECT_EQ(write["thread"], 1);
  EXPECT_EQ(write["marked"], true);
  EXPECT_EQ(write["line"], 29);
  const json& read = bug["rows"][row_with(bug, "flag: 1")];
  EXPECT_EQ(read["kind"], "load");
  EXPECT_EQ(read["variable"], "flag");
  EXPECT_EQ(read["value"], "1");
  EXPECT_EQ(read["order"], "relaxed");
  EXPECT_EQ(read["place"], "queue.cpp:13");
  EXPECT_EQ(read["function"], "f13");
  EXPECT_EQ(read["from"], row_with(bug, "flag = 1"));
  EXPECT_FALSE(read.contains("marked"));
}

// The store 2 is before the read in main, and the read reads 1: so 1 is behind 2 in modification order, by force.
TEST(Page, EdgesJoinRows) {
  const json bug = data_of(racy())["executions"][0];
  const auto one = row_with(bug, "flag = 1"), two = row_with(bug, "flag = 2"), read = row_with(bug, "flag: 1"), create = row_with(bug, "create"), write = row_with(bug, "writes x");
  EXPECT_EQ(bug["edges"]["rf"], json::array({{one, read}}));
  EXPECT_EQ(bug["edges"]["mo"], json::array({{two, one}}));
  EXPECT_EQ(bug["edges"]["moChosen"], json::array());
  EXPECT_EQ(bug["edges"]["fr"], json::array());
  EXPECT_EQ(bug["edges"]["sw"], json::array({{create, write}})) << "the first row of the thread, although it is no event";
  EXPECT_EQ(bug["edges"]["hb"], json::array({{create, write}}));
}

TEST(Page, AnOrderThatIsLeftOpenIsChosen) {
  RunResult result = racy();
  result.bugs[0].trace.events.pop_back();  // the read
  result.bugs[0].parties.clear();
  const json edges = data_of(result)["executions"][0]["edges"];
  EXPECT_EQ(edges["mo"], json::array());
  EXPECT_EQ(edges["moChosen"].size(), 1);
}

TEST(Page, AReadHasTheStoresOfItsVariable) {
  const json bug = data_of(racy())["executions"][0];
  const json stores = bug["rows"][row_with(bug, "flag: 1")]["stores"];
  ASSERT_EQ(stores.size(), 3);
  EXPECT_EQ(stores[0]["can"], true);
  EXPECT_EQ(stores[1]["can"], true);
  EXPECT_EQ(stores[2], json({{"row", -1}, {"value", "0"}, {"can", false}, {"why", "Overwritten: [" + bug["rows"][row_with(bug, "flag = 2")]["letter"].get<std::string>() + "] of main comes behind it in modification order and happens before this read."}}));
}

// The read of 1 is a compare-exchange for 2, which failed.
TEST(Page, OfACompareExchangeItIsSaidWhereItWouldHaveSucceeded) {
  RunResult result = racy();
  trace::TraceEvent& read = result.bugs[0].trace.events.back();
  ASSERT_EQ(read.kind, model::EventKind::kRead);
  read.expected = 2;
  const json bug = data_of(result)["executions"][0];
  const json stores = bug["rows"][row_with(bug, "flag: 1")]["stores"];
  ASSERT_EQ(stores.size(), 3);
  for (const json& store : stores) {
    if (store["can"] != true) continue;
    EXPECT_EQ(store["why"], store["value"] == "2" ? "The compare-exchange would have succeeded." : "");
  }
  EXPECT_EQ(std::count_if(stores.begin(), stores.end(), [](const json& store) { return store["value"] == "2" && store["can"] == true; }), 1);
}

// 100 stores of thread 1, and main reads the first: it could have read each, and the initial value.
TEST(Page, OfManyStoresThereAreTheLastAndTheOneThatIsRead) {
  RunResult result = racy();
  result.bugs[0].trace = {};
  result.bugs[0].parties.clear();
  result.bugs[0].trace.model = "cpp20";
  TraceMaker events(result.bugs[0].trace, {"main", "thread 1"});
  const int flag = events.location(0x200);
  const trace::EventName first = events.write(1, flag, 1, MemoryOrder::kRelaxed, 30);
  for (int i = 2; i <= 100; ++i) events.write(1, flag, i, MemoryOrder::kRelaxed, 30);
  events.read(0, flag, 1, MemoryOrder::kRelaxed, first, 13);
  const json bug = data_of(result)["executions"][0];
  const json& read = bug["rows"][row_with(bug, "flag: 1 ")];
  ASSERT_EQ(read["stores"].size(), 40);
  EXPECT_EQ(read["stores"][0]["value"], "1");
  EXPECT_EQ(read["stores"][1]["value"], "62");
  EXPECT_EQ(read["stores"][39]["value"], "100");
  EXPECT_EQ(read["moreStores"], 61);
}

TEST(Page, AThreadWithoutEventsIsCreatedAndJoined) {
  RunResult result = racy();
  Bug& bug = result.bugs[0];
  bug.trace.events.clear();
  TraceMaker events(bug.trace, {"main", "thread 1"});
  events.create(0, 1, 10);
  events.add(0, model::EventKind::kJoin, MemoryOrder::kSeqCst, 11);
  bug.trace.events.back().other = 1;
  bug.parties = {{1, "writes 4 bytes", 0x100, 0, {29, 1000}}, {0, "reads 4 bytes", 0x100, 2, {14, 1000}}};
  const json page = data_of(result)["executions"][0];
  const auto write = row_with(page, "writes x");
  const json& sw = page["edges"]["sw"];
  EXPECT_NE(std::find(sw.begin(), sw.end(), json({row_with(page, "create"), write})), sw.end()) << sw;
  EXPECT_NE(std::find(sw.begin(), sw.end(), json({write, row_with(page, "join")})), sw.end()) << sw;
}

TEST(Page, OfSourcesThereAreTheLinesAroundWhatIsShown) {
  const json files = data_of(racy())["files"];  // lines 10, 12, 13, 14, 29, 30
  ASSERT_EQ(files.size(), 1);
  EXPECT_EQ(files[0]["name"], "queue.cpp");
  EXPECT_EQ(files[0]["remark"], "");
  ASSERT_EQ(files[0]["pieces"].size(), 1) << "2 … 22 and 21 … 38";
  EXPECT_EQ(files[0]["pieces"][0]["first"], 2);
  ASSERT_EQ(files[0]["pieces"][0]["lines"].size(), 37);
  EXPECT_EQ(files[0]["pieces"][0]["lines"][0], "line 2");
  EXPECT_EQ(files[0]["pieces"][0]["lines"][36], "line 38");
}

TEST(Page, LinesFarApartAreTwoPieces) {
  RunResult result = racy();
  result.bugs[0].trace.events[1].stack = {90};
  result.bugs[0].parties.clear();
  const json pieces = data_of(result)["files"][0]["pieces"];
  ASSERT_EQ(pieces.size(), 2);
  EXPECT_EQ(pieces[1]["first"], 82);
  EXPECT_EQ(pieces[1]["lines"].size(), 17);
}

TEST(Page, ASourceThatIsNotThereOrShorterIsSaidToBe) {
  RunResult result = racy();
  result.bugs[0].trace.events[1].stack = {101};
  EXPECT_EQ(data_of(result)["files"][0]["remark"], "queue.cpp has no line 101: it has changed since the program was built.");
  trace::Trace trace = racy().bugs[0].trace;
  trace.events[0].line = 3;
  Page page = empty_page();
  for (auto& event : trace.events) event.stack.clear();
  page.add(trace, "Class 1", "gone.litmus");
  const json data = json::parse(page.data());
  EXPECT_EQ(data["executions"][0]["title"], "Class 1");
  EXPECT_EQ(data["executions"][0]["rows"][0]["line"], 3);
  EXPECT_EQ(data["files"][0], json({{"name", "gone.litmus"}, {"pieces", json::array()}, {"remark", "The source is not there: gone.litmus cannot be read."}}));
}

TEST(Page, NothingOfTheProgramEndsTheElement) {
  RunResult result = racy();
  result.bugs[0].kind = BugKind::kAssertion;
  result.bugs[0].message = "</script><!--&\xff\xe2\x80\xa8é";
  FakeNames names;
  names.variables[0x200] = "</ScRiPt>";
  Page page = empty_page();
  page.add(result, names, {});
  const std::string data = page.data();
  EXPECT_EQ(data.find_first_of("<>&"), std::string::npos);
  EXPECT_TRUE(std::all_of(data.begin(), data.end(), [](char c) { return c >= 0x20 && c < 0x7f; }));
  EXPECT_NE(json::parse(data)["executions"][0]["title"].get<std::string>().find("</script><!--&"), std::string::npos);
  const std::string html = page.html("<script type=\"application/json\" id=\"ordeal-data\"></script><p>");
  EXPECT_EQ(html, "<script type=\"application/json\" id=\"ordeal-data\">" + data + "</script><p>");
  EXPECT_THROW(page.html("<p>"), std::runtime_error);
}

TEST(Page, ExecutionsWithoutEventsAreNotOnIt) {
  RunResult result = racy();
  result.bugs[0].trace.events.clear();
  result.shown = {trace::Trace{}};
  FakeNames names;
  Page page = empty_page();
  page.add(result, names, {});
  EXPECT_TRUE(page.is_empty());
  result.shown = {racy().bugs[0].trace};
  page.add(result, names, {}, "Queue.Push: ");
  EXPECT_FALSE(page.is_empty());
  EXPECT_EQ(json::parse(page.data())["executions"][0]["title"], "Queue.Push: execution 1");
}

TEST(Page, OfALongExecutionTheEndIsThere) {
  RunResult result = racy();
  trace::Trace& trace = result.bugs[0].trace;
  trace = {};
  trace.model = "cpp20";
  TraceMaker events(trace, {"main"});
  const int flag = events.location(0x200);
  for (int i = 0; i < 3500; ++i) events.write(0, flag, i, MemoryOrder::kRelaxed, 41);
  result.bugs[0].parties.clear();
  const json bug = data_of(result)["executions"][0];
  EXPECT_EQ(bug["rows"].size(), 3000);
  EXPECT_EQ(bug["rows"][2999]["value"], "3499");
  EXPECT_EQ(bug["remarks"], json({"The execution is long: its first rows are left out, 500 of 3,500."}));
  for (const json& pair : bug["edges"]["mo"]) EXPECT_LT(pair[1], 3000);
  EXPECT_EQ(bug["edges"]["mo"].size(), 2999);
}

TEST(Page, AModelThatIsNotKnownIsSaidToBe) {
  RunResult result = racy();
  result.bugs[0].trace.model = "alpha";
  const json bug = data_of(result)["executions"][0];
  EXPECT_EQ(bug["rows"].size(), 6);
  EXPECT_EQ(bug["remarks"], json({"The model alpha is not known here: there are no edges."}));
}

}  // namespace
}  // namespace ordeal::report
