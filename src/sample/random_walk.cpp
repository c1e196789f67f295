#include "sample/random_walk.h"

namespace ordeal::sample {

void RandomWalk::begin(std::uint64_t seed, std::uint64_t execution) {
  rng_ = base::Rng(seed, execution);
  was_store_ = false;
  constexpr std::uint32_t kRuns[] = {1, 1, 1, 1, 1, 1, 4, 16}, kContrasts[] = {4, 6, 7, 7};
  run_ = kRuns[below(8)];
  contrast_ = kContrasts[below(4)];
  takes_turns_ = run_ == 1 && below(2) == 0;
  took_newest_.clear();
}

int RandomWalk::next_thread(const Step& step) {
  const bool was_store = was_store_;
  was_store_ = step.kind == StepKind::kStore;
  if (step.ready.size() == 1) return 0;
  const bool runs_on = run_ > 1 && step.kind != StepKind::kYield && below(run_) != 0;
  if (step.current >= 0 && (runs_on || (was_store && was_store_))) return step.current;
  auto chosen = static_cast<int>(below(static_cast<std::uint32_t>(step.ready.size())));
  if (takes_turns_ && chosen == step.current) chosen = static_cast<int>(below(static_cast<std::uint32_t>(step.ready.size())));
  if (chosen != step.current) was_store_ = false;
  return chosen;
}

std::uint32_t RandomWalk::which_store(int thread, std::uint32_t count) {
  const auto t = static_cast<std::size_t>(thread);
  while (t >= took_newest_.size()) took_newest_.push_back(static_cast<char>(below(2)));
  if (below(8) < contrast_) took_newest_[t] ^= 1;
  return took_newest_[t] != 0 ? kNewest : below(count - 1);
}

std::uint32_t RandomWalk::which_place(int thread, std::uint32_t count) { return which_store(thread, count); }

std::uint32_t RandomWalk::answer(Question question, std::uint32_t alternatives) {
  switch (question) {
    case Question::kFailsSpuriously:
    case Question::kTimesOut: return below(8) == 0 ? 1 : 0;
    case Question::kWakesSpuriously: return below(16) == 0 ? 1 : 0;
    default: return below(alternatives);
  }
}

}  // namespace ordeal::sample
