#include "sample/random_walk.h"

namespace ordeal::sample {

void RandomWalk::begin(std::uint64_t seed, std::uint64_t execution) {
  rng_ = base::Rng(seed, execution);
  was_store_ = false;
}

int RandomWalk::next_thread(const Step& step) {
  const bool was_store = was_store_;
  was_store_ = step.kind == StepKind::kStore;
  if (step.ready.size() == 1) return 0;
  if (was_store && was_store_ && step.current >= 0) return step.current;
  const auto chosen = static_cast<int>(below(static_cast<std::uint32_t>(step.ready.size())));
  if (chosen != step.current) was_store_ = false;
  return chosen;
}

std::uint32_t RandomWalk::which_store(int, std::uint32_t count) { return below(count); }

/// What is not last in modification order is seldom asked for by programs, but it is what the weak outcomes of 2+2W need.
std::uint32_t RandomWalk::which_place(int, std::uint32_t count) { return below(4) == 0 ? below(count) : kNewest; }

std::uint32_t RandomWalk::answer(Question question, std::uint32_t alternatives) {
  switch (question) {
    case Question::kFailsSpuriously:
    case Question::kTimesOut: return below(8) == 0 ? 1 : 0;
    case Question::kWakesSpuriously: return below(16) == 0 ? 1 : 0;
    default: return below(alternatives);
  }
}

}  // namespace ordeal::sample
