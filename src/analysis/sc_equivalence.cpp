#include "analysis/sc_equivalence.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace ordeal::analysis {

namespace {

constexpr std::size_t kMostSteps = 5'000'000;  // of the search: a second or two

}  // namespace

Sc ScEquivalence::decide(const Operations& operations) {
  operations_ = &operations;
  cycle_ = {};
  assumptions_ = steps_ = 0;
  is_stuck_ = is_cyclic_ = is_ordered_ = false;
  if (!infers_always_ && is_in_order()) return Sc::kYes;
  if (!infers_always_ && schedule_.run(operations)) {
    interleaving_ = schedule_.order();
    return Sc::kYes;
  }
  is_stuck_ = !infers_always_ && schedule_.is_certain();
  return is_stuck_ ? Sc::kNo : infer();
}

/// The order of execution respects program order, so creations and joins too, where they are known to; what is read must be what was
/// written last. If reads move back: writes stay where they are, everything else comes as early as its thread, and what it reads or waits
/// for, allow; a read must then still be before the next write to its location.
bool ScEquivalence::is_in_order() {
  const Operations& all = *operations_;
  constexpr OperationId kBeforeAll = -1;
  memory_.resize(static_cast<std::size_t>(all.locations));
  for (std::int32_t l = 0; l < all.locations; ++l) memory_[static_cast<std::size_t>(l)] = initial_write(l);
  places_.resize(all.all.size());
  next_write_.assign(all.all.size() + static_cast<std::size_t>(all.locations), kNoOperation);
  const auto next_write = [&](OperationId write) -> OperationId& { return next_write_[static_cast<std::size_t>(write + all.locations)]; };
  const auto place_of = [&](OperationId id) { return id < 0 ? kBeforeAll : places_[static_cast<std::size_t>(id)]; };
  begun_.assign(static_cast<std::size_t>(all.threads), kBeforeAll);
  for (OperationId id = 0; id < all.size(); ++id) {
    const Operation& operation = all[id];
    const auto location = static_cast<std::size_t>(operation.location);
    const auto others = operation.other >= 0 ? all.of_thread(operation.other) : std::span<const OperationId>();
    OperationId place = begun_[static_cast<std::size_t>(operation.thread)];
    switch (operation.sort) {
      case Sort::kOther: break;
      case Sort::kRead:
        if (moves_back_ ? operation.source >= id : memory_[location] != operation.source) return false;
        place = std::max(place, place_of(operation.source));
        if (const OperationId next = next_write(operation.source); next != kNoOperation && next <= place) return false;
        break;
      case Sort::kUpdate:
        if (memory_[location] != operation.source) return false;
        break;
      case Sort::kWrite: break;
      case Sort::kWake:
        if (operation.source >= id) return false;
        place = std::max(place, place_of(operation.source));
        break;
      case Sort::kCreate:
        if (!others.empty() && others.front() <= id) return false;
        if (operation.other >= 0) begun_[static_cast<std::size_t>(operation.other)] = place;
        break;
      case Sort::kJoin:
        if (!others.empty() && others.back() >= id) return false;
        if (!others.empty()) place = std::max(place, place_of(others.back()));
        break;
    }
    if (writes(operation.sort)) {
      const OperationId before = memory_[location];
      if (operation.mo_position != 0 && operation.mo_position != (before < 0 ? 0 : all[before].mo_position) + 1) return false;
      memory_[location] = next_write(before) = place = id;
    }
    places_[static_cast<std::size_t>(id)] = begun_[static_cast<std::size_t>(operation.thread)] = place;
  }
  is_ordered_ = true;
  return true;
}

std::vector<OperationId> ScEquivalence::interleaving() const {
  if (!is_ordered_) return interleaving_;
  std::vector<OperationId> order(operations_->all.size());
  std::iota(order.begin(), order.end(), 0);
  if (moves_back_) std::stable_sort(order.begin(), order.end(), [&](OperationId a, OperationId b) { return places_[static_cast<std::size_t>(a)] < places_[static_cast<std::size_t>(b)]; });
  return order;
}

/// 3. to 5. Operations are looked at in the order of the schedule, which is nearly right.
Sc ScEquivalence::infer() {
  is_stuck_ = false;
  if (infers_always_) schedule_.run(*operations_);
  schedule_.run_on();
  inference_.begin(*operations_, schedule_.order());
  is_cyclic_ = !inference_.run();
  if (!is_cyclic_) return search(inference_);
  keep_cycle(inference_);
  return Sc::kNo;
}

void ScEquivalence::keep_cycle(const Inference& inference) {
  if (!keeps_cycle_ || !cycle_.edges.empty()) return;
  Inference::Explanation explanation = inference.explain();
  cycle_.edges = std::move(explanation.cycle);
  cycle_.ways = std::move(explanation.ways);
  cycle_.reasons = std::move(explanation.reasons);
  cycle_.is_one_case = assumptions_ > 0;
}

Sc ScEquivalence::search(Inference& inference) {
  if (schedule_.run(*operations_, &inference)) {
    interleaving_ = schedule_.order();
    return Sc::kYes;
  }
  if (schedule_.is_certain()) return Sc::kNo;
  const auto [first, second] = schedule_.first_doubt();
  const Sc answer = try_order(inference, second, first);  // the other way the schedule got stuck
  return answer == Sc::kNo ? try_order(inference, first, second) : answer;
}

Sc ScEquivalence::try_order(const Inference& inference, OperationId before, OperationId behind) {
  ++assumptions_;
  if (steps_ > kMostSteps) return Sc::kUndecided;
  Inference assumed = inference;
  assumed.assume(before, behind);
  const std::size_t done = assumed.steps();
  const bool is_acyclic = assumed.run();
  steps_ += operations_->all.size() + assumed.steps() - done;
  if (is_acyclic) return search(assumed);
  keep_cycle(assumed);
  return Sc::kNo;
}

/// What an edge follows from is no later than its ends, or an inferred edge itself.
std::int32_t ScEquivalence::last_needed() {
  const Operations& all = *operations_;
  std::int32_t last = -1;
  const auto need = [&](OperationId id) { last = id < 0 ? last : std::max(last, all[id].last_event); };
  if (is_stuck_) {
    for (const OperationId id : schedule_.waiting_in_a_circle()) need(id);
  } else if (is_cyclic_) {
    const Inference::Explanation explanation = inference_.explain();
    for (const std::vector<ScEdge>& edges : {explanation.cycle, explanation.reasons})
      for (const ScEdge& edge : edges) need(edge.from), need(edge.to), need(edge.because);
  }
  return last >= 0 ? last : all.all.back().last_event;
}

Cycle ScEquivalence::cycle() {
  keeps_cycle_ = true;
  if (cycle_.edges.empty()) infer();
  keeps_cycle_ = false;
  return cycle_;
}

}  // namespace ordeal::analysis
