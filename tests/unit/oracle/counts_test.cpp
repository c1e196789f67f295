// Numbers of execution classes that can be worked out by hand, races, and the meaning of the statements.
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "notation.h"
#include "oracle/oracle.h"

namespace ordeal::oracle {
namespace {

using testing::Notation;

Result run_in(const std::vector<std::string>& threads, Model model = Model::kCpp20) {
  Options options;
  options.model = model;
  return run(Notation::parse(threads), options);
}

std::size_t count(const std::vector<std::string>& threads, Model model = Model::kCpp20) {
  return run_in(threads, model).executions;
}

constexpr Model kAllModels[] = {Model::kCpp20, Model::kRc11, Model::kSc, Model::kTso};

TEST(Counts, IncrementsComeInEveryOrder) {
  for (const Model model : kAllModels) {
    EXPECT_EQ(count({"A r0 x 1 rlx", "A r0 x 1 rlx"}, model), 2U);
    EXPECT_EQ(count({"A r0 x 1 rlx", "A r0 x 1 rlx", "A r0 x 1 rlx"}, model), 6U);
    EXPECT_EQ(count({"A r0 x 1 sc", "A r0 x 1 sc", "A r0 x 1 sc", "A r0 x 1 sc"}, model), 24U);
  }
}

TEST(Counts, BlindStoresAreOneClass) {
  const std::vector<std::string> stores{"W x 1 rlx", "W x 2 rlx", "W x 3 rlx"};
  EXPECT_EQ(count(stores, Model::kCpp20), 1U);
  EXPECT_EQ(count(stores, Model::kRc11), 1U);
  EXPECT_EQ(count(stores, Model::kSc), 6U);  // here mo is part of the class
  EXPECT_EQ(count(stores, Model::kTso), 6U);
  EXPECT_EQ(run_in(stores).states.size(), 3U);
}

TEST(Counts, TwoWritersAndTwoReaders) { EXPECT_EQ(count({"W x 1 rlx", "W x 2 rlx", "R r0 x rlx", "R r0 x rlx"}), 9U); }

TEST(Counts, WriteThenRead) {
  // Each reads its own or the other's store, but not crosswise.
  EXPECT_EQ(count({"W x 1 rlx; R r0 x rlx", "W x 2 rlx; R r0 x rlx"}), 3U);
  EXPECT_EQ(count({"W x 1 rlx; R r0 x rlx", "W x 2 rlx; R r0 x rlx"}, Model::kSc), 4U);
}

TEST(Counts, StoreBuffering) {
  const std::vector<std::string> sb{"W x 1 rlx; R r0 y rlx", "W y 1 rlx; R r0 x rlx"};
  EXPECT_EQ(count(sb, Model::kCpp20), 4U);
  EXPECT_EQ(count(sb, Model::kSc), 3U);
  EXPECT_EQ(count(sb, Model::kTso), 4U);
}

TEST(Counts, FinalStatesRespectAllOrdersJointly) {
  // 2+2W: four final states with relaxed stores, of one class; sc stores leave three.
  EXPECT_EQ(count({"W x 1 rlx; W y 2 rlx", "W y 1 rlx; W x 2 rlx"}), 1U);
  EXPECT_EQ(run_in({"W x 1 rlx; W y 2 rlx", "W y 1 rlx; W x 2 rlx"}).states.size(), 4U);
  EXPECT_EQ(run_in({"W x 1 sc; W y 2 sc", "W y 1 sc; W x 2 sc"}).states.size(), 3U);
}

TEST(Counts, SpuriousFailureIsAChoice) {
  const auto test = Notation::parse({"V r0 x 0 1 rlx rlx"});
  Options options;
  EXPECT_EQ(run(test, options).executions, 2U);
  EXPECT_EQ(run(test, options).states, (std::set<State>{{0, 0, 0}, {1, 0, 1}}));
  options.spurious = false;
  EXPECT_EQ(run(test, options).executions, 1U);
  EXPECT_EQ(count({"C r0 x 0 1 rlx rlx"}), 1U);
  EXPECT_EQ(count({"V r0 x 5 1 rlx rlx"}), 1U);  // fails anyway
}

TEST(Counts, ASpinningReaderIsCut) {
  // while (x == 0): the initial value k times, then 1, for k = 0 … 3; the fourth turn would read once more.
  const auto test = Notation::parse({"W x 1 rlx", "do { R r0 x rlx } while r0==0"});
  Options options;
  options.loop_bound = 3;
  const Result result = run(test, options);
  EXPECT_EQ(result.executions, 3U);
  EXPECT_EQ(result.blocked, 1U);
  EXPECT_EQ(result.states, (std::set<State>{{1, 1}}));
}

TEST(Counts, ALoopThatEndsAtItsBoundIsNotCut) {
  const auto test = Notation::parse({"while r0<3 { W x r0 rlx; = r0 r0+1 }"});
  Options options;
  options.loop_bound = 3;
  EXPECT_EQ(run(test, options).executions, 1U);
  EXPECT_EQ(run(test, options).blocked, 0U);
  options.loop_bound = 2;
  EXPECT_EQ(run(test, options).executions, 0U);
  EXPECT_EQ(run(test, options).blocked, 1U);
}

TEST(Counts, TheBoundHoldsForEachEntryOfALoop) {
  const auto test = Notation::parse({"while r0<2 { = r1 0; while r1<2 { A r2 x 1 rlx; = r1 r1+1 }; = r0 r0+1 }"});
  Options options;
  options.loop_bound = 2;
  const Result result = run(test, options);
  EXPECT_EQ(result.executions, 1U);
  EXPECT_EQ(result.states, (std::set<State>{{2, 2, 3, 4}}));
}

TEST(Counts, BreakContinueReturn) {
  EXPECT_EQ(run_in({"while r0<9 { = r0 r0+1; if r0==2 { continue }; if r0==4 { break }; W x r0 rlx }"}).states,
            (std::set<State>{{4, 3}}));
  EXPECT_EQ(run_in({"= r0 1; if r0==1 { return }; W x 1 rlx"}).states, (std::set<State>{{1, 0}}));
}

TEST(Counts, PointersInMemory) {
  const auto test = Notation::parse({"W x 7 rlx; W p &x rel", "R r0 p acq; if r0!=0 { R r1 r0 rlx }"});
  const Result result = run(test, {});
  EXPECT_EQ(result.executions, 2U);
  EXPECT_TRUE(testing::reaches(test, result, {{"1:r1", 7}}));
  EXPECT_FALSE(testing::reaches(test, result, {{"1:r0", litmus::address_of(0)}, {"1:r1", 0}}));
  EXPECT_THROW(run_in({"W p &x rel", "R r0 p acq; R r1 r0 rlx"}), std::runtime_error);  // may read address 0
  EXPECT_THROW(run_in({"= r0 &x; W r0+4096 1 rlx"}), std::runtime_error);
}

TEST(Counts, ExpectedValueInMemory) {
  // Fails: e (0) is not what x holds (3), and becomes it.
  auto test = Notation::parse({"M r0 x e 9 rlx rlx"}, {{"x", 3}, {"e", 0}});
  EXPECT_TRUE(testing::reaches(test, run(test, {}), {{"0:r0", 0}, {"x", 3}, {"e", 3}}));
  test = Notation::parse({"M r0 x e 9 rlx rlx"}, {{"x", 3}, {"e", 3}});
  EXPECT_TRUE(testing::reaches(test, run(test, {}), {{"0:r0", 1}, {"x", 9}, {"e", 3}}));
  // Its accesses to e are plain.
  EXPECT_TRUE(run(Notation::parse({"M r0 x e 9 rlx rlx", "W e 3 rlx"}, {{"x", 3}}), {}).racy);
}

TEST(Counts, FilteredStatesAreLeftOutButCounted) {
  auto test = Notation::parse({"W x 1 rlx", "R r0 x rlx"});
  test.filter.emplace();
  test.filter->kind = litmus::Proposition::Kind::kAtom;
  test.filter->left = {1, 0};
  test.filter->number = 1;
  const Result result = run(test, {});
  EXPECT_EQ(result.executions, 2U);
  EXPECT_EQ(result.states.size(), 1U);
}

TEST(Counts, ValuesAreConvertedToTheTypeOfTheLocation) {
  auto test = Notation::parse({"W x 255 rlx; A r0 x 1 rlx; R r1 x rlx"});
  test.locations[0].type = {.bits = 8, .is_signed = false, .is_atomic = true};
  EXPECT_TRUE(testing::reaches(test, run(test, {}), {{"0:r0", 255}, {"0:r1", 0}}));
}

TEST(Counts, GivesUpAtTheLimit) {
  Options options;
  options.candidate_limit = 10;
  EXPECT_TRUE(run(Notation::parse({"A r0 x 1 rlx", "A r0 x 1 rlx", "A r0 x 1 rlx"}), options).gave_up);
  // Too many events.
  EXPECT_TRUE(run_in({"while r0<8 { = r1 0; while r1<8 { W x 1 rlx; = r1 r1+1 }; = r0 r0+1 }"}).gave_up);
}

TEST(Races, MessagePassing) {
  const auto racy = [](const std::string& store, const std::string& load) {
    const std::vector<std::string> threads{"W x 1 na; W y 1 " + store, "R r0 y " + load + "; if r0==1 { R r1 x na }"};
    bool all = true;
    bool any = false;
    for (const Model model : kAllModels) {
      const bool is_racy = run_in(threads, model).racy;
      all = all && is_racy;
      any = any || is_racy;
    }
    EXPECT_EQ(all, any);  // the model does not matter here: hb is by the orders as written
    return any;
  };
  EXPECT_FALSE(racy("rel", "acq"));
  EXPECT_FALSE(racy("sc", "sc"));
  EXPECT_TRUE(racy("rlx", "acq"));
  EXPECT_TRUE(racy("rel", "rlx"));
  EXPECT_TRUE(racy("rlx", "rlx"));
}

TEST(Races, WhatConflicts) {
  EXPECT_TRUE(run_in({"W x 1 na", "W x 2 na"}).racy);
  EXPECT_TRUE(run_in({"W x 1 na", "R r0 x rlx"}).racy);
  EXPECT_TRUE(run_in({"A r0 x 1 sc", "R r0 x na"}).racy);
  EXPECT_FALSE(run_in({"R r0 x na", "R r0 x na"}).racy);
  EXPECT_FALSE(run_in({"W x 1 rlx", "W x 2 rlx; R r0 x rlx"}).racy);
  EXPECT_FALSE(run_in({"W x 1 na; R r0 x na"}).racy);
  EXPECT_FALSE(run_in({"W x 1 na", "W y 1 na"}).racy);
}

TEST(Races, OnlyInConsistentExecutions) {
  // The second store is reached only where sc forbids it.
  const std::vector<std::string> threads{"W x 1 sc; R r0 y sc; if r0==0 { W z 1 na }",
                                         "W y 1 sc; R r0 x sc; if r0==0 { W z 2 na }"};
  EXPECT_FALSE(run_in(threads, Model::kCpp20).racy);
  EXPECT_FALSE(run_in(threads, Model::kTso).racy);
  const std::vector<std::string> relaxed{"W x 1 rlx; R r0 y rlx; if r0==0 { W z 1 na }",
                                         "W y 1 rlx; R r0 x rlx; if r0==0 { W z 2 na }"};
  EXPECT_TRUE(run_in(relaxed, Model::kCpp20).racy);
  EXPECT_TRUE(run_in(relaxed, Model::kTso).racy);
  EXPECT_FALSE(run_in(relaxed, Model::kSc).racy);
}

TEST(Races, AlsoInCutExecutions) {
  const Result result = run_in({"W x 1 na; while r0==0 { = r1 1 }", "R r0 x na"});
  EXPECT_EQ(result.executions, 0U);
  EXPECT_TRUE(result.racy);
}

}  // namespace
}  // namespace ordeal::oracle
