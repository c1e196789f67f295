#include "sample/random_walk.h"

#include <utility>

namespace ordeal::sample {

void RandomWalk::begin(std::uint64_t seed, std::uint64_t execution) {
  struct Pace {
    std::uint32_t run, turns;
  };
  static constexpr Pace kPaces[] = {{1, 15}, {1, 15}, {1, 15}, {1, 15}, {1, 15}, {1, 15}, {1, 8}, {1, 8},
                                    {1, 8},  {1, 8},  {1, 8},  {1, 8},  {1, 0},  {1, 0},  {4, 8}, {16, 8}};
  static constexpr std::uint32_t kContrasts[] = {4, 6, 7, 7};
  rng_ = base::Rng(seed, execution);
  const Pace pace = kPaces[below(16)];
  run_ = pace.run;
  turns_ = pace.turns;
  last_first_ = below(8) == 0;
  const std::uint64_t random = rng_.next();
  contrast_ = kContrasts[below(4, random)];
  is_late_ = (random & 7) == 0;
  habits_.clear();
}

void RandomWalk::add_habits(int thread) {
  while (static_cast<std::size_t>(thread) >= habits_.size()) habits_.push_back({StepKind::kLoad, below(2) == 0});
}

StepKind RandomWalk::note_step(const Step& step) {
  if (step.current < 0) return step.kind;
  return std::exchange(habit(step.ready[static_cast<std::size_t>(step.current)]).next, step.kind);
}

int RandomWalk::choose(const Step& step, std::uint64_t random) const {
  const auto count = static_cast<std::uint32_t>(step.ready.size());
  if (step.current < 0 || (random & 15) >= turns_) return static_cast<int>(below(count, random));
  const auto another = static_cast<int>(below(count - 1, random));
  return another < step.current ? another : another + 1;
}

int RandomWalk::next_thread(const Step& step) {
  const StepKind did = note_step(step);
  if (step.ready.size() == 1) return 0;
  if (creates(step) || (did == StepKind::kStore && step.kind == StepKind::kStore)) return step.current;
  const std::uint64_t random = rng_.next();
  const bool may_run_on = run_ > 1 && step.current >= 0 && step.kind != StepKind::kYield && did != StepKind::kRmw && did != StepKind::kSync;
  if (may_run_on && (random >> 4 & (run_ - 1)) != 0) return step.current;
  const int chosen = choose(step, random);
  if (!last_first_) return chosen;
  const int other = choose(step, rng_.next());
  return step.ready[static_cast<std::size_t>(other)] > step.ready[static_cast<std::size_t>(chosen)] ? other : chosen;
}

std::uint32_t RandomWalk::which_store(int thread, std::uint32_t count) {
  Habit& its = habit(thread);
  const std::uint64_t random = rng_.next();
  if ((random & 7) < contrast_) its.took_newest = !its.took_newest;
  return its.took_newest ? kNewest : below(count - 1, random);
}

std::uint32_t RandomWalk::which_place(int thread, std::uint32_t count) { return which_store(thread, count); }

std::uint32_t RandomWalk::answer(Question question, std::uint32_t alternatives) {
  switch (question) {
    case Question::kFailsSpuriously: return below(8) == 0 ? 1 : 0;
    case Question::kTimesOut: return (below(8) == 0) != is_late_ ? 1 : 0;
    case Question::kWakesSpuriously: return below(16) == 0 ? 1 : 0;
    default: return below(alternatives);
  }
}

}  // namespace ordeal::sample
