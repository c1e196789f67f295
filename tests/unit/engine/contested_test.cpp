// Which locations threads contend for, and that a search with other threads first has the same classes. (tests/differential has random programs.)
#include "engine/contested.h"

#include <gtest/gtest.h>

#include "sight.h"

namespace ordeal::tests {
namespace {

using engine::Contested;
using model::Model;

/// What was learnt from the whole search.
Contested learnt_from(ScriptedProgram& program) {
  Contested contested;
  explore_all(program, Model::kCpp20, &contested);
  contested.use();
  return contested;
}

TEST(Contested, AnAccessOfAnotherThreadIsOneAnOwnIsNot) {
  ScriptedProgram program;
  const LocationId x = program.location(), y = program.location();
  program.thread([=](Steps& steps) { steps.store(x, 1), steps.store(y, 1), steps.load(y); });
  program.thread([=](Steps& steps) { steps.load(x); });
  const Contested contested = learnt_from(program);
  EXPECT_TRUE(contested.has(x));
  EXPECT_FALSE(contested.has(y));
  EXPECT_FALSE(contested.has(model::kNoLocation));
}

TEST(Contested, LoadsAloneAreNot) {
  ScriptedProgram program;
  const LocationId x = program.location();
  for (int i = 0; i < 2; ++i) program.thread([=](Steps& steps) { steps.load(x); });
  EXPECT_FALSE(learnt_from(program).has(x));
}

TEST(Contested, WhatCreationAndJoinOrderIsNot) {
  ScriptedProgram program;
  const LocationId x = program.location();
  program.thread([=](Steps& steps) {
    steps.store(x, 1);
    steps.create(ThreadId{1});
    steps.join(ThreadId{1});
    steps.store(x, 3);
  });
  program.created_thread([=](Steps& steps) { steps.store(x, 2); });
  EXPECT_FALSE(learnt_from(program).has(x));
}

/// One reads what the other wrote, and acquires it: they are ordered in each execution, but either way.
TEST(Contested, WhatOnlyTheAccessesThemselvesOrderIs) {
  ScriptedProgram program;
  const LocationId x = program.location();
  for (int i = 1; i <= 2; ++i)
    program.thread([=](Steps& steps) {
      Value expected = 0;
      steps.compare_exchange(x, expected, i);
    });
  EXPECT_TRUE(learnt_from(program).has(x));
}

TEST(Contested, WhatAFlagProtectsIsNot) {
  ScriptedProgram program;
  const LocationId x = program.location(), flag = program.location();
  program.thread([=](Steps& steps) {
    steps.store(x, 1);
    steps.store(flag, 1, MemoryOrder::kRelease);
  });
  program.thread([=](Steps& steps) {
    if (steps.load(flag, MemoryOrder::kAcquire) == 1) steps.load(x);
  });
  const Contested contested = learnt_from(program);
  EXPECT_TRUE(contested.has(flag));
  EXPECT_FALSE(contested.has(x));
}

/// Counts the events that the search makes, by the operations it asks for.
class Counting final : public engine::Decider {
 public:
  explicit Counting(Model model) : exhaustive_(model) {}
  model::ExecutionGraph& graph() override { return exhaustive_.graph(); }
  bool advance() override { return exhaustive_.advance(); }
  bool decide(const engine::Operation& operation) override { return ++decided, exhaustive_.decide(operation); }
  bool can_go_on(const engine::Operation& operation) override { return exhaustive_.can_go_on(operation); }
  int decided = 0;

 private:
  explore::Exhaustive exhaustive_;
};

/// Two threads contend for x, the second one behind many threads that do not: a revisit of the first one's read throws their events away, unless
/// they come first.
TEST(Contested, WhatComesFirstIsNotMadeAnew) {
  constexpr int kOthers = 10;
  const auto decided = [](bool uses) {
    ScriptedProgram program;
    const LocationId x = program.location();
    program.thread([=](Steps& steps) { steps.fetch_add(x, 1); });
    for (int i = 0; i < kOthers; ++i) {
      const LocationId own = program.location();
      program.thread([=](Steps& steps) { steps.fetch_add(own, 1); });
    }
    program.thread([=](Steps& steps) { steps.fetch_add(x, 1); });
    Contested contested;
    contested.add(x);
    if (uses) contested.use();
    Counting decider(Model::kCpp20);
    engine::Session session(program, decider);
    session.postpone(contested);
    EXPECT_EQ(session.run().complete, 2);
    return decider.decided;
  };
  EXPECT_EQ(decided(false), (kOthers + 2) + kOthers);  // all; then the first read is revisited (which decides that RMW), and the others are made anew
  EXPECT_EQ(decided(true), kOthers + 2);               // nothing was between the two
}

}  // namespace
}  // namespace ordeal::tests
