#include "sample/pct.h"

#include <algorithm>

namespace ordeal::sample {

namespace {

constexpr std::uint64_t kManyLoads = 64;     // in a row: the thread waits for something
constexpr std::uint64_t kLongest = 1 << 16;  // steps, of which change points are drawn

}  // namespace

Pct::Pct(int depth) : name_("pct:" + std::to_string(depth)), depth_(depth) {}

/// The number of steps is not known ahead, and must not depend on other executions: its order of magnitude is drawn.
void Pct::begin(std::uint64_t seed, std::uint64_t execution) {
  RandomWalk::begin(seed, execution);
  priority_.clear();
  lowest_ = 0;
  step_ = read_ = run_of_loads_ = 0;
  changes_.clear();
  stale_.clear();
  std::uint64_t length = 8;
  while (length < kLongest && below(4) != 0) length *= 2;
  for (int i = 1; i < depth_; ++i) {
    const std::uint64_t at = below(static_cast<std::uint32_t>(length));
    (below(2) == 0 ? changes_ : stale_).push_back(at);
  }
  std::sort(changes_.begin(), changes_.end(), std::greater<>());
  std::sort(stale_.begin(), stale_.end(), std::greater<>());
  created(0);
}

void Pct::created(int thread) {
  const auto t = static_cast<std::size_t>(thread);
  if (t >= priority_.size()) priority_.resize(t + 1, 0);
  priority_[t] = 1 + static_cast<std::int64_t>(rng_.next() >> 2);
}

void Pct::fall_behind(int thread) { priority_[static_cast<std::size_t>(thread)] = --lowest_; }

int Pct::next_thread(const Step& step) {
  ++step_;
  run_of_loads_ = step.kind == StepKind::kLoad ? run_of_loads_ + 1 : 0;
  if (step.current >= 0) {
    const int thread = step.ready[static_cast<std::size_t>(step.current)];
    bool falls = step.kind == StepKind::kYield || run_of_loads_ >= kManyLoads;
    while (!changes_.empty() && step_ >= changes_.back()) changes_.pop_back(), falls = true;
    if (falls) fall_behind(thread), run_of_loads_ = 0;
  }
  int best = 0;
  for (int i = 1; i < static_cast<int>(step.ready.size()); ++i)
    if (priority_[static_cast<std::size_t>(step.ready[static_cast<std::size_t>(i)])] > priority_[static_cast<std::size_t>(step.ready[static_cast<std::size_t>(best)])]) best = i;
  return best;
}

bool Pct::is_stale_now() {
  ++read_;
  if (stale_.empty() || read_ < stale_.back()) return false;
  stale_.pop_back();
  return true;
}

std::uint32_t Pct::which_store(int, std::uint32_t count) { return is_stale_now() ? below(count) : kNewest; }
std::uint32_t Pct::which_place(int, std::uint32_t count) { return is_stale_now() ? below(count) : kNewest; }

}  // namespace ordeal::sample
