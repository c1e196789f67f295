// Lists of choices that do not fit the program: each ends in an error that names the choice.
#include <gtest/gtest.h>

#include "base/rng.h"
#include "explore/exhaustive.h"
#include "explore/replay.h"
#include "tests/support/exploration.h"
#include "tests/support/models.h"
#include "tests/support/scale.h"
#include "tests/support/scripted_program.h"
#include "trace/trace.h"

namespace ordeal::tests {
namespace {

using engine::Choice;
using engine::ChoiceKind;
using engine::UnitOfWork;
using explore::Replay;
using explore::ReplayError;
using model::Model;

constexpr ThreadId kInitial = model::kNoThread;
Choice step(int of) { return {ThreadId{of}, ChoiceKind::kStep, kInitial, 0, 0}; }
Choice reads(int of, int thread, int index) {
  return {ThreadId{of}, ChoiceKind::kReadsFrom, ThreadId{thread}, index, 0};
}
Choice fails(int of, int thread, int index) {
  return {ThreadId{of}, ChoiceKind::kSpuriousFailure, ThreadId{thread}, index, 0};
}
Choice writes_at(int of, int position) { return {ThreadId{of}, ChoiceKind::kMoPosition, kInitial, position, 0}; }
Choice chooses(int of, Value value) { return {ThreadId{of}, ChoiceKind::kValue, kInitial, 0, value}; }

/// "place: message", or "fits". No observer sees an execution that does not fit.
std::string outcome(ScriptedProgram& program, const UnitOfWork& list, Model model = Model::kCpp20,
                    Replay::Rest rest = Replay::Rest::kNone) {
  Replay replay(model, list, rest);
  explore::Uniqueness seen;
  engine::Session session(program, replay);
  session.add(seen);
  try {
    session.run();
  } catch (const ReplayError& error) {
    EXPECT_TRUE(seen.keys().empty());
    return std::to_string(error.place) + ": " + error.what();
  }
  EXPECT_EQ(seen.keys().size(), 1);
  return "fits";
}

/// x=1; y=1 ∥ r=y; r=x
class MessagePassing : public ::testing::Test {
 protected:
  MessagePassing() {
    program.thread([this](Steps& steps) { steps.store(x, 1), steps.store(y, 1, MemoryOrder::kRelease); });
    program.thread([this](Steps& steps) { steps.load(y, MemoryOrder::kAcquire), steps.load(x); });
  }
  ScriptedProgram program;
  const LocationId x = program.location(), y = program.location();
};

TEST_F(MessagePassing, AListMayStandInAnyOrderThatKeepsEachThreadsOwn) {
  EXPECT_EQ(outcome(program, {step(0), step(0), reads(1, 0, 1), reads(1, 0, 0)}), "fits");
  EXPECT_EQ(outcome(program, {reads(1, 0, 1), step(0), reads(1, 0, 0), step(0)}), "fits");
  EXPECT_EQ(outcome(program, {reads(1, -1, 1), reads(1, -1, 0), step(0), step(0)}), "fits");
}
TEST_F(MessagePassing, AListThatIsTooShortIsRefused) {
  EXPECT_EQ(outcome(program, {}), "0: the list of choices is too short: there is none for thread 0 where it stores");
  EXPECT_EQ(outcome(program, {step(0), step(0), reads(1, 0, 1)}),
            "3: the list of choices is too short: there is none for thread 1 where it loads");
}
TEST_F(MessagePassing, AnOpenListMayBeShort) {
  EXPECT_EQ(outcome(program, {}, Model::kCpp20, Replay::Rest::kOpen), "fits");
  EXPECT_EQ(outcome(program, {step(0)}, Model::kCpp20, Replay::Rest::kOpen), "fits");
  EXPECT_EQ(outcome(program, {reads(1, 0, 1), step(0), step(0)}, Model::kCpp20, Replay::Rest::kOpen), "fits");
}
TEST_F(MessagePassing, AnOpenListMustFitAsFarAsItGoes) {
  EXPECT_EQ(outcome(program, {reads(1, 0, 1), step(0)}, Model::kCpp20, Replay::Rest::kOpen),
            "0: choice 0 (thread 1 reads from event 1 of thread 0) does not fit the program: that event never comes");
}
TEST_F(MessagePassing, AListThatIsTooLongIsRefused) {
  EXPECT_EQ(outcome(program, {step(0), step(0), step(0), reads(1, 0, 1), reads(1, 0, 0)}),
            "2: choice 2 (thread 0 steps) does not fit the program: the thread never comes so far");
}
TEST_F(MessagePassing, ChoicesOfAThreadThatIsNotThereAreRefused) {
  for (const int thread : {-1, 2, 1000000000})
    EXPECT_EQ(outcome(program, {step(0), step(0), step(thread), reads(1, 0, 1), reads(1, 0, 0)}),
              "2: choice 2 (thread " + std::to_string(thread) +
                  " steps) does not fit the program: the thread never comes so far");
}
TEST_F(MessagePassing, AnotherKindOfOperationIsRefused) {
  EXPECT_EQ(outcome(program, {reads(0, -1, 0), step(0), reads(1, 0, 1), reads(1, 0, 0)}),
            "0: choice 0 (thread 0 reads from the initial write of location 0) does not fit the program: the thread "
            "stores there");
  EXPECT_EQ(outcome(program, {step(0), chooses(0, 1), step(1), reads(1, 0, 0)}),
            "1: choice 1 (thread 0 chooses 1) does not fit the program: the thread stores there");
  EXPECT_EQ(outcome(program, {step(0), step(0), fails(1, 0, 1), reads(1, 0, 0)}),
            "2: choice 2 (thread 1 fails spuriously, reading from event 1 of thread 0) does not fit the program: the "
            "thread loads there");
  EXPECT_EQ(
      outcome(program, {step(0), step(0), {ThreadId{1}, ChoiceKind::kPromise, ThreadId{0}, 0, 0}, reads(1, 0, 0)}),
      "2: choice 2 (thread 1 reads 0, promised by event 0 of thread 0) does not fit the program: the promise is not kept");
}
TEST_F(MessagePassing, AnUnknownSourceIsRefused) {
  for (const int index : {2, 1000000000})
    EXPECT_EQ(outcome(program, {step(0), step(0), reads(1, 0, index), reads(1, 0, 0)}),
              "2: choice 2 (thread 1 reads from event " + std::to_string(index) +
                  " of thread 0) does not fit the program: that event never comes");
  EXPECT_EQ(outcome(program, {step(0), step(0), reads(1, 0, -1), reads(1, 0, 0)}),
            "2: choice 2 (thread 1 reads from event -1 of thread 0) does not fit the program: that event never comes");
  EXPECT_EQ(outcome(program, {step(0), step(0), reads(1, 7, 0), reads(1, 0, 0)}),
            "2: choice 2 (thread 1 reads from event 0 of thread 7) does not fit the program: that event never comes");
  EXPECT_EQ(outcome(program, {step(0), step(0), reads(1, -2, 0), reads(1, 0, 0)}),
            "2: choice 2 (thread 1 reads from event 0 of thread -2) does not fit the program: that event never comes");
}
TEST_F(MessagePassing, ASourceThatIsNoWriteToTheLocationIsRefused) {
  EXPECT_EQ(outcome(program, {step(0), step(0), reads(1, 0, 0), reads(1, 0, 0)}),
            "2: choice 2 (thread 1 reads from event 0 of thread 0) does not fit the program: that is not a write to "
            "location 1, which the thread reads");
  EXPECT_EQ(outcome(program, {step(0), step(0), reads(1, 0, 1), reads(1, 1, 0)}),
            "3: choice 3 (thread 1 reads from event 0 of thread 1) does not fit the program: that is not a write to "
            "location 0, which the thread reads");
  EXPECT_EQ(outcome(program, {step(0), step(0), reads(1, -1, 0), reads(1, 0, 0)}),
            "2: choice 2 (thread 1 reads from the initial write of location 0) does not fit the program: the thread "
            "reads location 1");
}
TEST_F(MessagePassing, WhatTheModelForbidsIsRefused) {
  const UnitOfWork list{step(0), step(0), reads(1, 0, 1), reads(1, -1, 0)};
  EXPECT_EQ(outcome(program, list),
            "3: choice 3 (thread 1 reads from the initial write of location 0) does not fit the program: the model "
            "forbids that");
}
TEST_F(MessagePassing, ExplicitPositionsMustBeThoseOfThisModel) {
  EXPECT_EQ(outcome(program, {writes_at(0, 1), step(0), reads(1, 0, 1), reads(1, 0, 0)}),
            "0: choice 0 (thread 0 writes at position 1 in modification order) does not fit the program: the thread "
            "stores there");
  EXPECT_EQ(outcome(program, {step(0), step(0), reads(1, 0, 1), reads(1, 0, 0)}, Model::kSc),
            "0: choice 0 (thread 0 steps) does not fit the program: the thread stores there");
  EXPECT_EQ(outcome(program, {writes_at(0, 1), writes_at(0, 1), reads(1, 0, 1), reads(1, 0, 0)}, Model::kSc), "fits");
  EXPECT_EQ(
      outcome(program, {writes_at(0, 1), writes_at(0, 2), reads(1, 0, 1), reads(1, 0, 0)}, Model::kSc),
      "1: choice 1 (thread 0 writes at position 2 in modification order) does not fit the program: its position is 1");
}

TEST(ReplayError, TwoWritesCannotHaveOnePosition) {
  ScriptedProgram program;
  const LocationId x = program.location();
  for (int t = 0; t < 2; ++t) program.thread([=](Steps& steps) { steps.store(x, 1); });
  EXPECT_EQ(outcome(program, {writes_at(0, 1), writes_at(1, 1)}, Model::kTso),
            "1: choice 1 (thread 1 writes at position 1 in modification order) does not fit the program: another write "
            "of the list has that position");
  EXPECT_EQ(outcome(program, {writes_at(0, 2), writes_at(1, 1)}, Model::kTso), "fits");
}

TEST(ReplayError, AReadModifyWriteIsTwoChoices) {
  ScriptedProgram program;
  const LocationId x = program.location();
  program.thread([=](Steps& steps) { steps.fetch_add(x, 1); });
  EXPECT_EQ(outcome(program, {reads(0, -1, 0), step(0)}), "fits");
  EXPECT_EQ(outcome(program, {reads(0, -1, 0)}),
            "1: the list of choices is too short: there is none for thread 0 where it makes a read-modify-write");
  EXPECT_EQ(outcome(program, {reads(0, -1, 0), reads(0, -1, 0)}),
            "1: choice 1 (thread 0 reads from the initial write of location 0) does not fit the program: the thread "
            "makes a read-modify-write there");
  EXPECT_EQ(outcome(program, {reads(0, -1, 0), step(0), step(0)}),
            "2: choice 2 (thread 0 steps) does not fit the program: the thread never comes so far");
}

TEST(ReplayError, OnlyAWeakCompareExchangeOfTheExpectedValueFailsSpuriously) {
  ScriptedProgram program;
  const LocationId x = program.location(), y = program.location(3);
  program.thread([=](Steps& steps) {
    Value expected = 0;
    steps.compare_exchange(x, expected, 1, true);
    expected = 0;
    steps.compare_exchange(y, expected, 1, true);
    expected = 3;
    steps.compare_exchange(y, expected, 1, false);
  });
  EXPECT_EQ(outcome(program, {fails(0, -1, 0), reads(0, -1, 1), reads(0, -1, 1), step(0)}), "fits");
  EXPECT_EQ(outcome(program, {fails(0, -1, 0), fails(0, -1, 1), reads(0, -1, 1), step(0)}),
            "1: choice 1 (thread 0 fails spuriously, reading from the initial write of location 1) does not fit the "
            "program: this cannot fail spuriously");
  EXPECT_EQ(outcome(program, {fails(0, -1, 0), reads(0, -1, 1), fails(0, -1, 1)}),
            "2: choice 2 (thread 0 fails spuriously, reading from the initial write of location 1) does not fit the "
            "program: this cannot fail spuriously");
}

TEST(ReplayError, AChosenValueIsOneOfTheAlternatives) {
  ScriptedProgram program;
  program.thread([](Steps& steps) { steps.choose(3); });
  EXPECT_EQ(outcome(program, {chooses(0, 2)}), "fits");
  for (const Value value : {Value{3}, Value{-1}, Value{1} << 40})
    EXPECT_EQ(outcome(program, {chooses(0, value)}),
              "0: choice 0 (thread 0 chooses " + std::to_string(value) +
                  ") does not fit the program: the thread chooses a value below 3");
}

TEST(ReplayError, SourcesThatWaitForEachOtherAreRefused) {
  ScriptedProgram program;
  const LocationId x = program.location(), y = program.location();
  program.thread([=](Steps& steps) { steps.load(x), steps.store(y, 1); });
  program.thread([=](Steps& steps) { steps.load(y), steps.store(x, 1); });
  EXPECT_EQ(outcome(program, {reads(0, 1, 1), step(0), reads(1, 0, 1), step(1)}),
            "0: choice 0 (thread 0 reads from event 1 of thread 1) does not fit the program: that event never comes");
}

TEST(ReplayError, ThreadsThatAreCreatedTakeTheirChoicesThen) {
  ScriptedProgram program;
  const LocationId x = program.location();
  program.thread([=](Steps& steps) {
    if (steps.load(x) == 1) return;
    steps.create(ThreadId{2});
    steps.join(ThreadId{2});
  });
  program.thread([=](Steps& steps) { steps.store(x, 1); });
  program.created_thread([=](Steps& steps) { steps.load(x); });
  EXPECT_EQ(outcome(program, {reads(0, -1, 0), step(0), reads(2, 1, 0), step(0), step(1)}), "fits");
  EXPECT_EQ(outcome(program, {reads(0, 1, 0), step(0), reads(2, 1, 0), step(0), step(1)}),
            "1: choice 1 (thread 0 steps) does not fit the program: the thread never comes so far");
}

/// Lists that were damaged at random: each fits or is refused, and what fits is a class that the search knows.
TEST(ReplayError, DamagedListsFitOrAreRefused) {
  for (const Model model : kAllModels) {
    ScriptedProgram program;
    const LocationId x = program.location(), y = program.location();
    for (int t = 0; t < 3; ++t)
      program.thread([=](Steps& steps) {
        Value expected = 0;
        const bool won = steps.compare_exchange(x, expected, t + 1, t == 1);
        steps.store(won ? x : y, 4 + steps.choose(2));
        steps.load(y);
      });
    std::vector<UnitOfWork> lists;
    struct Collect final : engine::Observer {
      explicit Collect(std::vector<UnitOfWork>& all) : into(all) {}
      bool finished(const engine::Execution& execution) override {
        return into.push_back(trace::unit_of_work(execution.graph)), true;
      }
      std::vector<UnitOfWork>& into;
    } collect(lists);
    const Exploration all = explore_all(program, model, &collect);
    base::Rng rng(11);
    int fitted = 0;
    for (int round = 0; round < scaled(3000); ++round) {
      UnitOfWork list = lists[static_cast<std::size_t>(rng.below(static_cast<int>(lists.size())))];
      const auto at = static_cast<std::size_t>(rng.below(static_cast<int>(list.size())));
      Choice& choice = list[at];
      switch (rng.below(7)) {
        case 0: choice.of = ThreadId{rng.below(4) - 1}; break;
        case 1: choice.kind = static_cast<ChoiceKind>(rng.below(9)); break;
        case 2: choice.thread = ThreadId{rng.below(5) - 2}; break;
        case 3: choice.index = rng.below(7) - 2; break;
        case 4: choice.value = rng.below(4) - 1; break;
        case 5: list.erase(list.begin() + static_cast<std::ptrdiff_t>(at)); break;
        default: std::swap(choice, list[static_cast<std::size_t>(rng.below(static_cast<int>(list.size())))]);
      }
      Replay replay(model, list);
      engine::Session session(program, replay);
      try {
        session.run();
        ++fitted;
        ASSERT_EQ(all.classes.count(explore::class_key(replay.graph())), 1)
            << model::name_of(model) << ", round " << round;
      } catch (const ReplayError& error) {
        ASSERT_LE(error.place, list.size());
      }
    }
    EXPECT_GT(fitted, 0);
  }
}

}  // namespace
}  // namespace ordeal::tests
