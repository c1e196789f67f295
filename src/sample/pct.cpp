#include "sample/pct.h"

#include <algorithm>
#include <utility>

namespace ordeal::sample {

namespace {

constexpr std::uint64_t kManyLoads = 64;     // in a row: the thread waits for something
constexpr std::uint64_t kLongRun = 1 << 17;  // of one thread, beyond all change points: it may wait in a way that does not show
constexpr std::uint64_t kSoon = 32;          // steps that a change point waits for a section
enum : std::uint32_t { kAnywhere, kBehindRmw = 2, kBeforeRmw, kKinds };  // of change points
constexpr std::uint32_t kLongest = 1 << 16;  // steps, of which change points are drawn

}  // namespace

Pct::Pct(int depth) : name_("pct:" + std::to_string(depth)), depth_(depth) {}

void Pct::begin(std::uint64_t seed, std::uint64_t execution) {
  RandomWalk::begin(seed, execution);
  priority_.clear();
  lowest_ = 0;
  step_ = read_ = run_of_loads_ = run_ = 0;
  last_ = -1;
  draw_points(changes_);
  for (std::uint64_t& change : changes_) change = kKinds * change + below(kKinds);
  draw_points(stale_);
  created(0);
}

/// Each below a power of two that is drawn itself, so that short executions have some of them, too.
void Pct::draw_points(std::vector<std::uint64_t>& points) {
  points.clear();
  for (int i = 1; i < depth_; ++i) {
    std::uint32_t length = 2;
    while (length < kLongest && below(4) != 0) length *= 2;
    points.push_back(below(length));
  }
  std::sort(points.begin(), points.end(), std::greater<>());
}

void Pct::created(int thread) {
  const auto t = static_cast<std::size_t>(thread);
  if (t >= priority_.size()) priority_.resize(t + 1, 0);
  priority_[t] = 1 + static_cast<std::int64_t>(rng_.next() >> 2);
}

/// Whoever is to make this step, even its first one, falls behind at a change point. Half of the points wait a little for a place that
/// matters: behind an RMW or a lock, where critical sections begin, or before an RMW, which relies on what was read before (ABA).
void Pct::change_priorities(const Step& step, StepKind did) {
  for (; !changes_.empty() && step_ > changes_.back() / kKinds; changes_.pop_back()) {
    const std::uint64_t kind = changes_.back() % kKinds;
    const bool is_here = kind == kBehindRmw ? did == StepKind::kRmw || did == StepKind::kSync : kind != kBeforeRmw || step.kind == StepKind::kRmw;
    if (!is_here && step_ < changes_.back() / kKinds + kSoon) return;
    fall_behind(step.ready[static_cast<std::size_t>(highest(step))]);
  }
}

void Pct::fall_behind(int thread) { priority_[static_cast<std::size_t>(thread)] = --lowest_; }

int Pct::highest(const Step& step) const {
  const auto priority = [&](int place) { return priority_[static_cast<std::size_t>(step.ready[static_cast<std::size_t>(place)])]; };
  int best = 0;
  for (int i = 1; i < static_cast<int>(step.ready.size()); ++i)
    if (priority(i) > priority(best)) best = i;
  return best;
}

int Pct::next_thread(const Step& step) {
  const StepKind did = note_step(step);
  if (creates(step)) return step.current;
  ++step_;
  run_of_loads_ = step.kind == StepKind::kLoad ? run_of_loads_ + 1 : 0;
  const int current = step.current >= 0 ? step.ready[static_cast<std::size_t>(step.current)] : -1;
  run_ = current >= 0 && current == std::exchange(last_, current) ? run_ + 1 : 0;
  if (current >= 0 && (step.kind == StepKind::kYield || run_of_loads_ >= kManyLoads || run_ >= kLongRun)) {
    fall_behind(current);
    run_of_loads_ = run_ = 0;
  }
  change_priorities(step, did);
  return highest(step);
}

bool Pct::is_stale_now() {
  ++read_;
  if (stale_.empty() || read_ <= stale_.back()) return false;
  stale_.pop_back();
  return true;
}

std::uint32_t Pct::which_store(int, std::uint32_t count) { return is_stale_now() ? below(count - 1) : kNewest; }
std::uint32_t Pct::which_place(int, std::uint32_t count) { return is_stale_now() ? below(count - 1) : kNewest; }

}  // namespace ordeal::sample
