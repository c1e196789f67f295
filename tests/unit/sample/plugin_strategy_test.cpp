#include "sample/plugin_strategy.h"

#include <array>

#include <gtest/gtest.h>

namespace ordeal::sample {
namespace {

std::uint32_t next_answer = 0;
int last_count = 0;
ordeal_step last_step = ORDEAL_STEP_LOAD;

void begin(std::uint64_t, std::uint64_t) {}
int next_thread(const int*, int count, int, ordeal_step step) {
  last_count = count;
  last_step = step;
  return static_cast<int>(next_answer);
}
std::uint32_t which(int, std::uint32_t) { return next_answer; }
std::uint32_t answer(ordeal_question, std::uint32_t) { return next_answer; }

ordeal_strategy table() { return {ORDEAL_STRATEGY_VERSION, "mine", begin, nullptr, next_thread, which, which, answer}; }

TEST(PluginStrategy, ATableThatIsNotWholeIsRefusedByName) {
  EXPECT_EQ(PluginStrategy::why_unusable(table()), "");
  ordeal_strategy other = table();
  other.version = 2;
  EXPECT_EQ(PluginStrategy::why_unusable(other), "it is made for version 2 of <ordeal/strategy.h>, and this is version 1");
  other = table();
  other.which_place = nullptr;
  EXPECT_EQ(PluginStrategy::why_unusable(other), "it has no function 'which_place'");
  other = table();
  other.name = nullptr;
  EXPECT_EQ(PluginStrategy::why_unusable(other), "it has no name");
}

TEST(PluginStrategy, AnswersInRangeAreTakenAsTheyAre) {
  const ordeal_strategy functions = table();
  PluginStrategy strategy(functions);
  const std::array<int, 3> ready{4, 2, 7};
  next_answer = 2;
  EXPECT_EQ(strategy.next_thread({ready, 1, StepKind::kYield}), 2);
  EXPECT_EQ(last_count, 3);
  EXPECT_EQ(last_step, ORDEAL_STEP_YIELD);
  EXPECT_EQ(strategy.which_store(0, 3), 2U);
  EXPECT_EQ(strategy.answer(Question::kWhoWakes, 3), 2U);
  next_answer = ORDEAL_NEWEST;
  EXPECT_EQ(strategy.which_store(0, 3), Strategy::kNewest);
  EXPECT_EQ(strategy.which_place(0, 3), Strategy::kNewest);
  strategy.created(1);  // may be missing
  EXPECT_STREQ(strategy.fault(), "");
}

TEST(PluginStrategy, AnAnswerOutOfRangeIsReplacedAndTheFirstIsTold) {
  const ordeal_strategy functions = table();
  PluginStrategy strategy(functions);
  const std::array<int, 3> ready{4, 2, 7};
  next_answer = 3;
  EXPECT_EQ(strategy.which_store(0, 3), 0U);
  EXPECT_STREQ(strategy.fault(), "which_store answered 3 where there were 3 alternatives");
  next_answer = static_cast<std::uint32_t>(-1);
  EXPECT_EQ(strategy.next_thread({ready, -1, StepKind::kLoad}), 0);
  EXPECT_EQ(strategy.answer(Question::kTimesOut, 2), 0U);
  EXPECT_STREQ(strategy.fault(), "which_store answered 3 where there were 3 alternatives");
}

}  // namespace
}  // namespace ordeal::sample
