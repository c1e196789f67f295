#include "analysis/mostly_sc.h"

#include <algorithm>

namespace ordeal::analysis {

namespace {

constexpr int kSeqCst = 1000;  // what a surprising seq_cst operation counts
constexpr int kMostTried = 4;  // surprising reads up to which the least number is looked for

}  // namespace

MostlySc::MostlySc(const Operations& operations, const HardOrders& hard)
    : all_(operations), hard_(hard), behind_(operations.all.size()), before_left_(operations.all.size(), 0),
      readers_(operations.all.size() + static_cast<std::size_t>(operations.locations)), readers_left_(readers_.size(), 0),
      writes_left_(static_cast<std::size_t>(operations.locations), 0), done_(static_cast<std::size_t>(operations.threads), 0),
      has_begun_(done_.size(), 1) {
  for (const auto& [first, second] : hard.before) {
    behind_[static_cast<std::size_t>(first)].push_back(second);
    ++before_left_[static_cast<std::size_t>(second)];
  }
  for (OperationId id = 0; id < all_.size(); ++id) {
    const Operation& operation = all_[id];
    if (reads(operation.sort)) readers_[static_cast<std::size_t>(operation.source + all_.locations)].push_back(id), ++readers_left(operation.source);
    if (writes(operation.sort)) ++writes_left_[static_cast<std::size_t>(operation.location)];
    if (operation.sort == Sort::kCreate && operation.other >= 0) has_begun_[static_cast<std::size_t>(operation.other)] = 0;
  }
  for (std::int32_t l = 0; l < all_.locations; ++l) memory_.push_back(initial_write(l));
}

std::vector<OperationId> MostlySc::find() {
  constexpr std::size_t kMostSteps = 50'000;
  for (const int cost : {0, 1, 2, 3, kMostTried, kSeqCst + kMostTried}) {
    seen_.clear();
    steps_ = 0;
    most_steps_ = kMostSteps + 2 * all_.all.size();
    if (search(cost)) return order_;
    if (steps_ >= most_steps_) break;
  }
  most_steps_ = 0;
  return search(INT32_MAX) ? order_ : std::vector<OperationId>();
}

bool MostlySc::search(int cost_left) {
  const std::size_t begin = order_.size();
  while (run_free()) {}
  if (order_.size() == all_.all.size()) return true;
  if (most_steps_ != 0) {
    std::vector<std::int32_t> state = done_;
    state.insert(state.end(), memory_.begin(), memory_.end());
    state.push_back(cost_left);
    steps_ += order_.size() - begin + state.size() / 8 + 1;
    if (steps_ >= most_steps_ || !seen_.insert(std::move(state)).second) {
      undo_to(begin);
      return false;
    }
  }
  for (const Option& option : options()) {
    if (option.cost > cost_left) break;
    const std::size_t before = order_.size();
    execute(option.operation);
    if (search(cost_left - option.cost)) return true;
    undo_to(before);
    if (most_steps_ == 0 || steps_ >= most_steps_) break;
  }
  undo_to(begin);
  return false;
}

/// What loses nothing; whether there was any.
bool MostlySc::run_free() {
  const std::size_t begin = order_.size();
  for (int t = 0; t < all_.threads; ++t)
    for (OperationId id = next(t); id != kNoOperation && cost(id) == 0 && is_safe(id); id = next(t)) execute(id);
  return order_.size() > begin;
}

std::vector<MostlySc::Option> MostlySc::options() {
  std::vector<Option> found;
  for (int t = 0; t < all_.threads; ++t)
    if (const OperationId id = next(t); id != kNoOperation)
      if (const int price = cost(id); price != kNever) found.push_back({price, id});
  std::sort(found.begin(), found.end());
  return found;
}

OperationId MostlySc::next(int thread) const {
  const auto mine = all_.of_thread(thread);
  const auto place = static_cast<std::size_t>(done_[static_cast<std::size_t>(thread)]);
  return place < mine.size() && has_begun_[static_cast<std::size_t>(thread)] != 0 ? mine[place] : kNoOperation;
}

int MostlySc::cost(OperationId id) const {
  const Operation& operation = all_[id];
  if (before_left_[static_cast<std::size_t>(id)] > 0) return kNever;
  if (operation.sort == Sort::kJoin && operation.other >= 0 &&
      static_cast<std::size_t>(done_[static_cast<std::size_t>(operation.other)]) < all_.of_thread(operation.other).size())
    return kNever;
  if (operation.sort == Sort::kWake && operation.source >= 0 && !is_done(operation.source)) return kNever;
  int total = 0;
  if (reads(operation.sort) && !is_done(operation.source)) {
    if (!hard_.may_read_ahead) return kNever;
    total += is_seq_cst(id) ? kSeqCst : 1;
  }
  return writes(operation.sort) ? total + cost_of_old_readers(operation, id) : total;
}

/// Of those who have still to read what is in memory. (An old value was paid for when it was overwritten.)
int MostlySc::cost_of_old_readers(const Operation& write, OperationId self) const {
  const OperationId now = memory_[static_cast<std::size_t>(write.location)];
  if (readers_left(now) == 0) return 0;
  int total = 0;
  for (const OperationId reader : readers_[static_cast<std::size_t>(now + all_.locations)])
    if (reader != self && !is_done(reader)) total += is_seq_cst(reader) ? kSeqCst : 1;
  return total;
}

/// As in schedule.h; but an update, too, may better be surprising and come behind other writes, if several read it.
bool MostlySc::is_safe(OperationId id) const {
  const Operation& operation = all_[id];
  if (!writes(operation.sort) || readers_left(id) == 0 || writes_left_[static_cast<std::size_t>(operation.location)] == 1) return true;
  return operation.sort == Sort::kUpdate && memory_[static_cast<std::size_t>(operation.location)] == operation.source && readers_left(id) == 1;
}

void MostlySc::execute(OperationId id) {
  const Operation& operation = all_[id];
  ++done_[static_cast<std::size_t>(operation.thread)];
  order_.push_back(id);
  overwritten_.push_back(kNoOperation);
  for (const OperationId behind : behind_[static_cast<std::size_t>(id)]) --before_left_[static_cast<std::size_t>(behind)];
  if (operation.sort == Sort::kCreate && operation.other >= 0) has_begun_[static_cast<std::size_t>(operation.other)] = 1;
  if (reads(operation.sort)) --readers_left(operation.source);
  if (!writes(operation.sort)) return;
  overwritten_.back() = std::exchange(memory_[static_cast<std::size_t>(operation.location)], id);
  --writes_left_[static_cast<std::size_t>(operation.location)];
}

void MostlySc::undo_to(std::size_t size) {
  for (; order_.size() > size; order_.pop_back(), overwritten_.pop_back()) {
    const OperationId id = order_.back();
    const Operation& operation = all_[id];
    --done_[static_cast<std::size_t>(operation.thread)];
    for (const OperationId behind : behind_[static_cast<std::size_t>(id)]) ++before_left_[static_cast<std::size_t>(behind)];
    if (operation.sort == Sort::kCreate && operation.other >= 0) has_begun_[static_cast<std::size_t>(operation.other)] = 0;
    if (reads(operation.sort)) ++readers_left(operation.source);
    if (!writes(operation.sort)) continue;
    memory_[static_cast<std::size_t>(operation.location)] = overwritten_.back();
    ++writes_left_[static_cast<std::size_t>(operation.location)];
  }
}

}  // namespace ordeal::analysis
