// Where the program is kept, on graphs by hand.
#include "engine/milestones.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "tests/unit/model/builder.h"

namespace ordeal::engine {
namespace {

using model::Event;
using model::EventKind;
using model::ExecutionGraph;
using model::Slot;

constexpr int kPrice = 24;  // of keeping the program, in events that are run again

class Graph : public model::testing::Builder {
 public:
  void store(int thread = 0) { Builder::store(thread, 0); }
  void load(int thread = 0) { Builder::load(thread, 2, model::initial_write(model::LocationId{2})); }
  void rmw(int thread = 0) { Builder::rmw(thread, 1, model::initial_write(model::LocationId{1})); }
  void other(EventKind kind, int thread = 0) {
    Event event;
    event.kind = event.access.kind = kind;
    event.thread = event.access.thread = model::ThreadId{thread};
    event.stamp = graph.next_stamp++;
    graph.push(event);
  }
  void stores(int count) {
    for (int i = 0; i < count; ++i) store();
  }
  /// Takes the last events out and puts the same in again, as the search does when it goes back: they are others then.
  void replace(int count = 1) {
    std::vector<Event> events;
    for (; count > 0; --count, graph.pop()) events.push_back(graph.event(graph.last()));
    for (; !events.empty(); events.pop_back()) {
      const Event& event = events.back();
      if (event.kind == EventKind::kWrite) consistency.push_write(graph, event);
      else if (event.kind == EventKind::kRead) consistency.push_read(graph, event);
      else graph.push(event);
    }
  }
};

/// Executions that all end differently: the place for the first one that is given any, and how many came before.
struct Chosen {
  int place = 0;
  int passes = 0;
};
Chosen run_until_chosen(Milestones& milestones, Graph& graph, int most = 100) {
  for (Chosen chosen; chosen.passes < most; ++chosen.passes) {
    graph.replace();
    chosen.place = milestones.place_to_keep(graph.graph, kPrice);
    if (chosen.place != 0) return chosen;
  }
  return {0, most};
}

// --- behind the creations --------------------------------------------------------------------------------------------

TEST(MilestonePlaces, TheFirstIsBehindWhatTheFirstThreadDoesAndCreates) {
  Graph graph;
  graph.store();
  graph.create(0, 1);
  graph.store();
  graph.create(0, 2);
  graph.other(EventKind::kNote);
  graph.store(1);
  graph.create(0, 3);
  graph.store(2);
  EXPECT_EQ(Milestones().place_to_keep(graph.graph, kPrice), 5);
}

TEST(MilestonePlaces, WithoutCreationsTheFirstExecutionHasNone) {
  Graph graph;
  graph.stores(3);
  graph.load();
  graph.store(1);
  EXPECT_EQ(Milestones().place_to_keep(graph.graph, kPrice), 0);
}

TEST(MilestonePlaces, WhatOtherThreadsCreateDoesNotCount) {
  Graph graph;
  graph.store();
  graph.create(1, 2);
  graph.store(2);
  EXPECT_EQ(Milestones().place_to_keep(graph.graph, kPrice), 0);
}

TEST(MilestonePlaces, TheFirstIsBeforeAllThatDependsOnOthers) {
  const std::function<void(Graph&)> dependent[] = {
      [](Graph& graph) { graph.load(); },
      [](Graph& graph) { graph.rmw(); },
      [](Graph& graph) { graph.join(0, 1); },
      [](Graph& graph) { graph.other(EventKind::kChoice); },
      [](Graph& graph) { graph.other(EventKind::kAttempt); },
  };
  for (const auto& add : dependent) {
    Graph graph;
    graph.create(0, 1);
    graph.store();
    add(graph);
    graph.store();
    graph.create(0, 2);
    graph.store(1);
    EXPECT_EQ(Milestones().place_to_keep(graph.graph, kPrice), 2) << static_cast<int>(graph.graph.event(Slot{2}).kind);
  }
}

TEST(MilestonePlaces, BeforeTheFirstCreationNothingDependsOnOthers) {
  Graph graph;
  graph.load();
  graph.rmw();
  graph.other(EventKind::kChoice);
  graph.create(0, 1);
  graph.store(1);
  EXPECT_EQ(Milestones().place_to_keep(graph.graph, kPrice), 5);
}

TEST(MilestonePlaces, TheEndOfTheGraphIsNone) {
  Graph graph;
  graph.store();
  graph.create(0, 1);
  graph.store();
  Milestones milestones;
  EXPECT_EQ(milestones.place_to_keep(graph.graph, kPrice), 0);
  graph.store(1);
  EXPECT_EQ(milestones.place_to_keep(graph.graph, kPrice), 3);
  ExecutionGraph empty;
  EXPECT_EQ(milestones.place_to_keep(empty, kPrice), 0);
}

// --- where the same is run again and again ---------------------------------------------------------------------------

TEST(MilestonePlaces, OneIsChosenWhenKeepingWouldHaveBeenCheaper) {
  for (const int common : {1, 2, 5, 6, 8, 11, 24, 50}) {
    Graph graph;
    graph.stores(common + 1);
    Milestones milestones;
    const Chosen chosen = run_until_chosen(milestones, graph);
    EXPECT_EQ(chosen.place, common);
    EXPECT_EQ(chosen.passes, (kPrice + common - 1) / common) << common;
  }
}

TEST(MilestonePlaces, EventsCountFromTheLastOneOn) {
  Graph graph;
  graph.stores(31);
  Milestones milestones;
  ASSERT_EQ(run_until_chosen(milestones, graph).place, 30);
  milestones.note_kept(graph.graph, 30);
  graph.stores(6);  // 30 are run no more
  const Chosen chosen = run_until_chosen(milestones, graph);
  EXPECT_EQ(chosen.place, 36);
  EXPECT_EQ(chosen.passes, kPrice / 6);
}

TEST(MilestonePlaces, BehindAMilestoneTheCreationsDoNotMatter) {
  Graph graph;
  graph.stores(2);
  graph.create(0, 1);
  graph.store(1);
  Milestones milestones;
  ASSERT_EQ(milestones.place_to_keep(graph.graph, kPrice), 3);
  milestones.note_kept(graph.graph, 3);
  EXPECT_EQ(milestones.place_to_keep(graph.graph, kPrice), 0);
}

TEST(MilestonePlaces, ManyPassesGoBeforeTheCreations) {
  Graph graph;
  graph.create(0, 1);
  for (int i = 0; i < 10; ++i) graph.store(1);
  Milestones milestones;
  std::vector<int> places;
  for (int pass = 0; pass < 4; ++pass) {
    graph.replace();
    places.push_back(milestones.place_to_keep(graph.graph, kPrice));
  }
  EXPECT_EQ(places, (std::vector<int>{1, 1, 1, 10}));
}

TEST(MilestonePlaces, AnEventThatWasReplacedIsCountedAnew) {
  Graph graph;
  graph.stores(13);
  Milestones milestones;
  for (int pass = 0; pass < 2; ++pass) {
    graph.replace();
    ASSERT_EQ(milestones.place_to_keep(graph.graph, kPrice), 0);
  }
  graph.replace(5);  // the next pass would have been enough for slot 11
  EXPECT_EQ(milestones.place_to_keep(graph.graph, kPrice), 0);
  EXPECT_EQ(run_until_chosen(milestones, graph).place, 8) << "the others have been passed more often";
}

TEST(MilestonePlaces, NoneIsBetweenTheReadAndTheWriteOfAnRmw) {
  Graph graph;
  graph.stores(8);
  graph.rmw();  // only its write is replaced
  Milestones milestones;
  EXPECT_EQ(run_until_chosen(milestones, graph).place, 8);
  Graph failing;
  failing.stores(8);
  failing.failing_exchange(0, 1, model::initial_write(model::LocationId{1}), model::MemoryOrder::kRelaxed);
  failing.store();
  Milestones others;
  EXPECT_EQ(run_until_chosen(others, failing).place, 9) << "an exchange that fails is complete";
}

TEST(MilestonePlaces, TheEndIsNotChosenHoweverOftenItIsRun) {
  Graph graph;
  graph.stores(30);
  Milestones milestones;
  for (int pass = 0; pass < 50; ++pass) EXPECT_LT(milestones.place_to_keep(graph.graph, kPrice), 30);
}

// --- which an execution comes by --------------------------------------------------------------------------------------

/// With milestones behind 2, 4 and 6 events of 8.
class KeptMilestones : public ::testing::Test {
 protected:
  KeptMilestones() {
    graph_.stores(8);
    for (const int place : {2, 4, 6}) milestones_.note_kept(graph_.graph, place);
  }
  int passed(int kept = 3) { return milestones_.passed(graph_.graph, kept); }

  Graph graph_;
  Milestones milestones_;
};

TEST_F(KeptMilestones, AllArePassedByAnExecutionWithTheSameBeginning) {
  EXPECT_EQ(passed(), 3);
  EXPECT_EQ(milestones_.last(), 6);
  graph_.replace(2);
  EXPECT_EQ(passed(), 3);
  graph_.graph.pop(), graph_.graph.pop();  // it ends there
  EXPECT_EQ(passed(), 3);
}

TEST_F(KeptMilestones, ThoseBehindAReplacedEventAreForgotten) {
  graph_.replace(3);
  EXPECT_EQ(passed(), 2);
  EXPECT_EQ(milestones_.last(), 4);
  graph_.replace(5);
  EXPECT_EQ(passed(), 1);
  EXPECT_EQ(milestones_.last(), 2);
  graph_.replace(7);
  EXPECT_EQ(passed(), 0);
  EXPECT_EQ(milestones_.last(), 0);
}

TEST_F(KeptMilestones, AShorterGraphDoesNotComeByTheLaterOnes) {
  while (graph_.graph.size() > 5) graph_.graph.pop();
  EXPECT_EQ(passed(), 2);
  while (graph_.graph.size() > 1) graph_.graph.pop();
  EXPECT_EQ(passed(), 0);
}

TEST_F(KeptMilestones, ThoseThatTheProgramHasLostAreForgotten) {
  EXPECT_EQ(passed(2), 2);
  EXPECT_EQ(milestones_.last(), 4);
  EXPECT_EQ(passed(3), 2) << "they do not come back";
  EXPECT_EQ(passed(0), 0);
  EXPECT_EQ(milestones_.last(), 0);
}

TEST_F(KeptMilestones, AnotherGraphWithTheSameEventsComesByToo) {
  ExecutionGraph copy;
  copy.copy_prefix(graph_.graph, 5);
  EXPECT_EQ(milestones_.passed(copy, 3), 2);
}

TEST_F(KeptMilestones, AnotherGraphWithEqualEventsDoesNot) {
  Graph other;
  other.stores(8);
  EXPECT_EQ(milestones_.passed(other.graph, 3), 0);
}

// --- how many, failures -----------------------------------------------------------------------------------------------

TEST(MilestoneLimits, ThereAreAtMostSixteen) {
  Graph graph;
  Milestones milestones;
  for (int kept = 0; kept < 16; ++kept) {
    graph.stores(kPrice + 1);
    const int place = run_until_chosen(milestones, graph).place;
    ASSERT_GT(place, milestones.last());
    milestones.note_kept(graph.graph, place);
  }
  EXPECT_EQ(milestones.passed(graph.graph, 16), 16);
  graph.stores(kPrice + 1);
  EXPECT_EQ(run_until_chosen(milestones, graph).place, 0);
  EXPECT_EQ(milestones.passed(graph.graph, 15), 15);  // there is room again
  EXPECT_GT(run_until_chosen(milestones, graph).place, 0);
}

TEST(MilestoneLimits, NoneIsKeptAheadWhenThereAreSixteen) {
  Graph graph;
  graph.stores(40);
  Milestones milestones;
  for (int kept = 1; kept <= 16; ++kept) {
    EXPECT_TRUE(kept == 1 || milestones.is_worth_keeping(39, 1, 1)) << kept;
    milestones.note_kept(graph.graph, kept);
  }
  EXPECT_FALSE(milestones.is_worth_keeping(39, 1, 1));
}

/// Behind so many events that the first one is not far, where executions will come back a known number of times.
TEST(MilestonesAhead, AreWorthItWhereWhatIsSavedIsTheCost) {
  Graph graph;
  graph.stores(20);
  Milestones milestones;
  EXPECT_FALSE(milestones.is_worth_keeping(20, 100, 10)) << "the first milestone has rules of its own";
  milestones.note_kept(graph.graph, 10);
  EXPECT_TRUE(milestones.is_worth_keeping(15, 2, 10));
  EXPECT_FALSE(milestones.is_worth_keeping(15, 2, 11));
  EXPECT_FALSE(milestones.is_worth_keeping(14, 2, 10));
  EXPECT_FALSE(milestones.is_worth_keeping(10, 100, 10)) << "it is kept there already";
}

TEST(MilestoneLimits, AfterAFailureNoneIsLeft) {
  Graph graph;
  graph.stores(8);
  Milestones milestones;
  for (const int place : {2, 4}) milestones.note_kept(graph.graph, place);
  milestones.note_failure();
  EXPECT_EQ(milestones.last(), 0);
  EXPECT_EQ(milestones.passed(graph.graph, 2), 0);
}

TEST(MilestoneLimits, AfterFourFailuresNothingIsKeptAnyMore) {
  Graph created;
  created.create(0, 1);
  created.store(1);
  Graph repeated;
  repeated.stores(10);
  Milestones milestones;
  for (int failure = 0; failure < 4; ++failure) {
    EXPECT_EQ(milestones.place_to_keep(created.graph, kPrice), 1) << failure;
    EXPECT_EQ(run_until_chosen(milestones, repeated).place, 9) << failure;
    repeated.replace(10);
    milestones.note_failure();
  }
  EXPECT_EQ(milestones.place_to_keep(created.graph, kPrice), 0);
  EXPECT_EQ(run_until_chosen(milestones, repeated).place, 0);
}

}  // namespace
}  // namespace ordeal::engine
