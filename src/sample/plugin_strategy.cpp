#include "sample/plugin_strategy.h"

#include <cstdio>

namespace ordeal::sample {

static_assert(static_cast<int>(StepKind::kYield) == ORDEAL_STEP_YIELD && static_cast<int>(StepKind::kStore) == ORDEAL_STEP_STORE);
static_assert(static_cast<int>(Question::kProgramChooses) == ORDEAL_PROGRAM_CHOOSES && static_cast<int>(Question::kTimesOut) == ORDEAL_TIMES_OUT);
static_assert(Strategy::kNewest == ORDEAL_NEWEST);

std::string PluginStrategy::why_unusable(const ordeal_strategy& table) {
  if (table.version != ORDEAL_STRATEGY_VERSION)
    return "it is made for version " + std::to_string(table.version) + " of <ordeal/strategy.h>, and this is version " + std::to_string(ORDEAL_STRATEGY_VERSION);
  if (table.name == nullptr || *table.name == 0) return "it has no name";
  const char* missing = table.begin == nullptr         ? "begin"
                        : table.next_thread == nullptr ? "next_thread"
                        : table.which_store == nullptr ? "which_store"
                        : table.which_place == nullptr ? "which_place"
                        : table.answer == nullptr      ? "answer"
                                                       : nullptr;
  return missing == nullptr ? "" : std::string("it has no function '") + missing + "'";
}

int PluginStrategy::next_thread(const Step& step) {
  const auto count = static_cast<std::uint32_t>(step.ready.size());
  const auto kind = step.kind == StepKind::kCreate ? ORDEAL_STEP_SYNC : static_cast<ordeal_step>(step.kind);
  const int place = table_.next_thread(step.ready.data(), static_cast<int>(count), step.current, kind);
  return static_cast<int>(checked("next_thread", static_cast<std::uint32_t>(place), count, false));
}

std::uint32_t PluginStrategy::answer(Question question, std::uint32_t alternatives) {
  return checked("answer", table_.answer(static_cast<ordeal_question>(question), alternatives), alternatives, false);
}

std::uint32_t PluginStrategy::checked(const char* function, std::uint32_t answer, std::uint32_t count, bool has_newest) {
  if (answer < count || (has_newest && answer == kNewest)) return answer;
  if (fault_[0] == 0)
    std::snprintf(fault_, sizeof fault_, "%s answered %d where there were %u alternatives", function, static_cast<int>(answer), count);
  return 0;
}

}  // namespace ordeal::sample
