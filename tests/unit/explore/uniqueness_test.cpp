#include "explore/uniqueness.h"

#include <gtest/gtest.h>

#include "explore/replay.h"
#include "tests/support/exploration.h"
#include "tests/support/scripted_program.h"

namespace ordeal::tests {
namespace {

using engine::Choice;
using engine::ChoiceKind;
using explore::Replay;
using model::Model;

constexpr ThreadId kInitial = model::kNoThread;

/// The key of the execution that `list` leads to.
std::string key_of(ScriptedProgram& program, Model model, const engine::UnitOfWork& list) {
  Replay replay(model, list);
  engine::Session(program, replay).run();
  return explore::class_key(replay.graph());
}

Choice step(int of) { return {ThreadId{of}, ChoiceKind::kStep, kInitial, 0, 0}; }
Choice reads(int of, int thread, int index) {
  return {ThreadId{of}, ChoiceKind::kReadsFrom, ThreadId{thread}, index, 0};
}
Choice writes_at(int of, int position) { return {ThreadId{of}, ChoiceKind::kMoPosition, kInitial, position, 0}; }
Choice chooses(int of, Value value) { return {ThreadId{of}, ChoiceKind::kValue, kInitial, 0, value}; }

TEST(Uniqueness, CountsAClassThatComesAgain) {
  ScriptedProgram program;
  const LocationId x = program.location();
  program.thread([=](Steps& steps) { steps.store(x, 1); });
  program.thread([=](Steps& steps) { steps.load(x); });
  explore::Uniqueness uniqueness;
  for (const int source : {0, -1, 0}) {
    Replay replay(Model::kCpp20, {step(0), reads(1, source, 0)});
    engine::Session session(program, replay);
    session.add(uniqueness);
    session.run();
  }
  EXPECT_EQ(uniqueness.keys().size(), 2);
  EXPECT_EQ(uniqueness.repeated(), 1);
}

TEST(Uniqueness, AKeyDependsNeitherOnSlotsNorOnStamps) {
  ScriptedProgram program;
  const LocationId x = program.location(), y = program.location();
  program.thread([=](Steps& steps) { steps.load(x), steps.store(y, 1); });
  program.thread([=](Steps& steps) { steps.store(x, 1), steps.load(y); });
  const std::string key = key_of(program, Model::kCpp20, {reads(0, -1, 0), step(0), step(1), reads(1, -1, 1)});
  EXPECT_EQ(key_of(program, Model::kCpp20, {step(1), reads(1, -1, 1), reads(0, -1, 0), step(0)}), key);
  EXPECT_EQ(key_of(program, Model::kCpp20, {step(1), reads(0, -1, 0), reads(1, -1, 1), step(0)}), key);
}

TEST(Uniqueness, AKeyTellsSourcesOfEqualValueApart) {
  ScriptedProgram program;
  const LocationId x = program.location();
  program.thread([=](Steps& steps) { steps.store(x, 1); });
  program.thread([=](Steps& steps) { steps.store(x, 1); });
  program.thread([=](Steps& steps) { steps.load(x); });
  const engine::UnitOfWork first{step(0), step(1), reads(2, 0, 0)}, second{step(0), step(1), reads(2, 1, 0)};
  EXPECT_NE(key_of(program, Model::kCpp20, first), key_of(program, Model::kCpp20, second));
}

TEST(Uniqueness, AKeyTellsExplicitModificationOrdersApart) {
  ScriptedProgram program;
  const LocationId x = program.location();
  program.thread([=](Steps& steps) { steps.store(x, 1); });
  program.thread([=](Steps& steps) { steps.store(x, 2); });
  const engine::UnitOfWork first{writes_at(0, 1), writes_at(1, 2)}, second{writes_at(0, 2), writes_at(1, 1)};
  EXPECT_NE(key_of(program, Model::kSc, first), key_of(program, Model::kSc, second));
}

TEST(Uniqueness, AKeyTellsChoicesAndSpuriousFailuresApart) {
  ScriptedProgram program;
  const LocationId x = program.location();
  program.thread([=](Steps& steps) { steps.choose(2); });
  program.thread([=](Steps& steps) {
    Value expected = 0;
    steps.compare_exchange(x, expected, 0, true);
  });
  const Choice fails{ThreadId{1}, ChoiceKind::kSpuriousFailure, kInitial, 0, 0};
  std::set<std::string> keys;
  for (const Value value : {0, 1}) {
    keys.insert(key_of(program, Model::kCpp20, {chooses(0, value), fails}));
    keys.insert(key_of(program, Model::kCpp20, {chooses(0, value), reads(1, -1, 0), step(1)}));
  }
  EXPECT_EQ(keys.size(), 4);
}

}  // namespace
}  // namespace ordeal::tests
