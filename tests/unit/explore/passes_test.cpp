// Which failures are left for the second pass: numbers worked out by hand, for all models.
#include "explore/passes.h"

#include <functional>
#include <ostream>

#include <gtest/gtest.h>

#include "engine/session.h"
#include "explore/exhaustive.h"
#include "tests/support/models.h"
#include "tests/support/scripted_program.h"

namespace ordeal::tests {
namespace {

struct First {
  std::uint64_t complete;
  bool has_postponed;
  bool operator==(const First&) const = default;
};

std::ostream& operator<<(std::ostream& out, const First& first) { return out << first.complete << (first.has_postponed ? ", some postponed" : ", none postponed"); }

/// Two threads do the same; the location is 0.
First first_pass(model::Model model, const std::function<void(Steps&, LocationId)>& body) {
  ScriptedProgram program;
  const LocationId x = program.location();
  for (int i = 0; i < 2; ++i) program.thread([=](Steps& steps) { body(steps, x); });
  explore::Exhaustive exhaustive(model);
  exhaustive.postpone_spurious_failures(true);
  engine::Session session(program, exhaustive);
  return {session.run().complete, exhaustive.has_postponed()};
}

std::function<void(Steps&, LocationId)> compare_exchange(Value expected, bool is_weak) {
  return [=](Steps& steps, LocationId x) {
    Value read = expected;
    steps.compare_exchange(x, read, 1, is_weak);
  };
}

TEST(Passes, AWeakCompareExchangeDoesNotFailInTheFirst) {
  for (const model::Model model : kAllModels) EXPECT_EQ(first_pass(model, compare_exchange(0, true)), (First{2, true})) << model::name_of(model);
}

TEST(Passes, ThereIsOnlyOneIfNoneCanFail) {
  for (const model::Model model : kAllModels) {
    EXPECT_EQ(first_pass(model, compare_exchange(0, false)), (First{2, false})) << model::name_of(model);
    EXPECT_EQ(first_pass(model, compare_exchange(7, true)), (First{1, false})) << model::name_of(model);  // it is never 7
  }
}

/// One takes it, and the other fails for that reason, or though it came first: 2 each; or both fail.
TEST(Passes, ATryOfALockFailsInBoth) {
  const auto attempt = [](Steps& steps, LocationId x) { steps.try_lock_weakly(x); };
  for (const model::Model model : kAllModels) EXPECT_EQ(first_pass(model, attempt), (First{5, false})) << model::name_of(model);
}

TEST(Passes, WhatASearchInOnePassHasSeenIsWhatItCounts) {
  explore::Passes passes;
  passes.begin_round();
  passes.count(engine::Ending::kComplete);
  EXPECT_FALSE(passes.is_first() || passes.is_second());
  passes.end_round(false, false);
  EXPECT_FALSE(passes.is_cut());
  EXPECT_EQ(passes.seen().complete, 1);
}

TEST(Passes, ASecondThatBeginsAnewKeepsTheFirst) {
  explore::Passes passes;
  passes.begin_first();
  passes.begin_round();
  passes.count(engine::Ending::kComplete);
  EXPECT_FALSE(passes.is_cut());
  passes.end_round(true, true);
  engine::Counts counts;
  counts.complete = 1;
  passes.begin_second(counts);
  for (int round = 0; round < 2; ++round) {
    passes.begin_round();
    passes.count(engine::Ending::kBlocked);
    passes.count(engine::Ending::kBlocked);
    passes.count_as_complete();
  }
  EXPECT_EQ(passes.seen().complete, 2);
  EXPECT_EQ(passes.seen().blocked, 1);
  EXPECT_EQ(passes.with().complete, 1);
  EXPECT_TRUE(passes.is_cut());
  passes.end_round(true, false);
  EXPECT_FALSE(passes.is_cut());
}

}  // namespace
}  // namespace ordeal::tests
