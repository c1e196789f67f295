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
  contrast_ = kContrasts[below(4)];
  habits_.clear();
}

RandomWalk::Habit& RandomWalk::habit(int thread) {
  const auto t = static_cast<std::size_t>(thread);
  while (t >= habits_.size()) habits_.push_back({StepKind::kLoad, below(2) == 0});
  return habits_[t];
}

StepKind RandomWalk::note_step(const Step& step) {
  if (step.current < 0) return step.kind;
  return std::exchange(habit(step.ready[static_cast<std::size_t>(step.current)]).next, step.kind);
}

int RandomWalk::another(const Step& step) {
  if (step.current < 0) return any(step);
  const auto chosen = static_cast<int>(below(static_cast<std::uint32_t>(step.ready.size()) - 1));
  return chosen < step.current ? chosen : chosen + 1;
}

int RandomWalk::next_thread(const Step& step) {
  const StepKind did = note_step(step);
  if (step.ready.size() == 1) return 0;
  if (creates(step) || (did == StepKind::kStore && step.kind == StepKind::kStore)) return step.current;
  const bool may_run_on = run_ > 1 && step.current >= 0 && step.kind != StepKind::kYield && did != StepKind::kRmw && did != StepKind::kSync;
  if (may_run_on && below(run_) != 0) return step.current;
  const int drawn = draw(step);
  if (!last_first_) return drawn;
  const int other = draw(step);
  return step.ready[static_cast<std::size_t>(other)] > step.ready[static_cast<std::size_t>(drawn)] ? other : drawn;
}

std::uint32_t RandomWalk::which_store(int thread, std::uint32_t count) {
  Habit& its = habit(thread);
  if (below(8) < contrast_) its.took_newest = !its.took_newest;
  return its.took_newest ? kNewest : below(count - 1);
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
