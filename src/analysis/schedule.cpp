#include "analysis/schedule.h"

namespace ordeal::analysis {

bool Schedule::run(const Operations& operations, const Inference* known) {
  operations_ = &operations;
  known_ = known;
  prepare();
  for (;;) {
    const bool moved = run_safe_steps();
    if (static_cast<int>(order_.size()) == operations.size()) return true;
    if (moved) continue;
    const OperationId doubtful = take_doubtful();
    if (doubtful == kNoOperation) return false;
    if (is_certain_ && known_ != nullptr) is_safe(doubtful), first_doubt_ = {doubtful, rival_};
    is_certain_ = false;
    thread_ = operations[doubtful].thread;
    execute(doubtful);
  }
}

void Schedule::run_on() {
  is_forced_ = true;
  while (static_cast<int>(order_.size()) < operations_->size()) {
    if (run_safe_steps()) continue;
    OperationId id = take_doubtful();
    for (int t = 0; id == kNoOperation && t < operations_->threads; ++t)
      if (const OperationId front = next(t); front != kNoOperation && writes((*operations_)[front].sort)) id = front;
    for (int t = 0; id == kNoOperation && t < operations_->threads; ++t) {
      has_begun_[static_cast<std::size_t>(t)] = 1;
      id = next(t);
    }
    execute(id);
  }
}

void Schedule::prepare() {
  const Operations& all = *operations_;
  const auto locations = static_cast<std::size_t>(all.locations), threads = static_cast<std::size_t>(all.threads);
  order_.clear();
  order_.reserve(all.all.size());
  done_.assign(threads, 0);
  has_begun_.assign(threads, 1);
  memory_.resize(locations);
  for (std::int32_t l = 0; l < all.locations; ++l) memory_[static_cast<std::size_t>(l)] = initial_write(l);
  written_.assign(locations, 0);
  writes_left_.assign(locations, 0);
  later_here_.assign(all.all.size(), 0);
  readers_left_.assign(all.all.size() + locations, 0);
  for (const Operation& operation : all.all) {
    if (reads(operation.sort)) ++readers_left(operation.source);
    if (writes(operation.sort)) ++writes_left_[static_cast<std::size_t>(operation.location)];
    if (operation.sort == Sort::kCreate && operation.other >= 0) has_begun_[static_cast<std::size_t>(operation.other)] = 0;
  }
  // `written_` counts backwards through one thread, and is put back.
  for (int t = 0; t < all.threads; ++t) {
    const auto mine = all.of_thread(t);
    for (std::size_t i = mine.size(); i-- > 0;)
      if (writes(all[mine[i]].sort)) later_here_[static_cast<std::size_t>(mine[i])] = written_[static_cast<std::size_t>(all[mine[i]].location)]++;
    for (const OperationId id : mine)
      if (writes(all[id].sort)) written_[static_cast<std::size_t>(all[id].location)] = 0;
  }
  thread_ = 0;
  is_certain_ = true;
  is_forced_ = false;
}

/// Each thread as far as it gets, until none gets anywhere.
bool Schedule::run_safe_steps() {
  bool moved = false;
  const int threads = operations_->threads;
  for (int idle = 0; idle < threads; ++idle, thread_ = thread_ + 1 < threads ? thread_ + 1 : 0) {
    for (OperationId id = next(thread_); id != kNoOperation && can_go_on(id) && is_safe(id); id = next(thread_)) {
      execute(id);
      moved = true;
      idle = -1;
    }
  }
  return moved;
}

/// The earliest in the order of execution.
OperationId Schedule::take_doubtful() {
  OperationId best = kNoOperation;
  for (int t = 0; t < operations_->threads; ++t) {
    const OperationId id = next(t);
    if (id != kNoOperation && can_go_on(id) && (best == kNoOperation || id < best)) best = id;
  }
  return best;
}

bool Schedule::can_go_on(OperationId id) const {
  const Operation& operation = (*operations_)[id];
  if (known_ != nullptr && !has_known_before(id)) return false;
  switch (operation.sort) {
    case Sort::kOther:
    case Sort::kCreate: return true;
    case Sort::kJoin:
      return operation.other < 0 || static_cast<std::size_t>(done_[static_cast<std::size_t>(operation.other)]) == operations_->of_thread(operation.other).size();
    case Sort::kWake: return is_done(operation.source);
    case Sort::kRead: return is_readable(operation);
    case Sort::kWrite: return can_write(operation, 0);
    case Sort::kUpdate: return is_readable(operation) && can_write(operation, memory_[static_cast<std::size_t>(operation.location)] == operation.source ? 1 : 0);
  }
  return false;
}

bool Schedule::is_readable(const Operation& operation) const {
  return memory_[static_cast<std::size_t>(operation.location)] == operation.source || (is_forced_ && is_done(operation.source));
}

/// All but so many have read what is there, and no write is left out.
bool Schedule::can_write(const Operation& operation, std::int32_t readers) const {
  const auto location = static_cast<std::size_t>(operation.location);
  return readers_left(memory_[location]) == readers && (operation.mo_position == 0 || operation.mo_position == written_[location] + 1);
}

bool Schedule::has_known_before(OperationId id) const {
  const base::ClockEntry* row = known_->row(id);
  for (int t = 0; t < operations_->threads; ++t)
    if (t != (*operations_)[id].thread && row[t] > done_[static_cast<std::size_t>(t)]) return false;
  return true;
}

bool Schedule::is_safe(OperationId id) {
  const Operation& operation = (*operations_)[id];
  if (operation.sort != Sort::kWrite || operation.mo_position != 0 || readers_left(id) == 0) return true;
  const auto location = static_cast<std::size_t>(operation.location);
  if (writes_left_[location] - 1 == later_here_[static_cast<std::size_t>(id)]) return true;
  if (known_ == nullptr) return false;
  rival_ = known_->first_not_behind(id, done_);
  return rival_ == kNoOperation;
}

void Schedule::execute(OperationId id) {
  const Operation& operation = (*operations_)[id];
  ++done_[static_cast<std::size_t>(operation.thread)];
  order_.push_back(id);
  if (operation.sort == Sort::kCreate && operation.other >= 0) has_begun_[static_cast<std::size_t>(operation.other)] = 1;
  if (reads(operation.sort)) --readers_left(operation.source);
  if (!writes(operation.sort)) return;
  const auto location = static_cast<std::size_t>(operation.location);
  memory_[location] = id;
  ++written_[location];
  --writes_left_[location];
}

std::vector<OperationId> Schedule::waiting_in_a_circle() const {
  int thread = 0;
  while (static_cast<std::size_t>(done_[static_cast<std::size_t>(thread)]) == operations_->of_thread(thread).size()) ++thread;
  std::vector<OperationId> circle;
  for (int steps = 0, first = -1;; ++steps) {  // so many steps lead into the circle
    const OperationId awaited = awaited_by(thread);
    if (awaited == kNoOperation || thread == first) return awaited == kNoOperation ? std::vector<OperationId>() : circle;
    if (steps == operations_->threads) first = thread;
    if (first >= 0) {
      circle.push_back(awaited);
      if (next(thread) != kNoOperation) circle.push_back(next(thread));
    }
    thread = (*operations_)[awaited].thread;
  }
}

/// What must come before the next operation of a thread, however the schedule goes on.
OperationId Schedule::awaited_by(int thread) const {
  const Operations& all = *operations_;
  const OperationId id = next(thread);
  if (id == kNoOperation) {  // it has not begun
    for (OperationId create = 0; create < all.size(); ++create)
      if (all[create].sort == Sort::kCreate && all[create].other == thread) return create;
    return kNoOperation;
  }
  const Operation& operation = all[id];
  if (operation.sort == Sort::kJoin) return all.of_thread(operation.other).back();
  if (operation.sort == Sort::kWake || (reads(operation.sort) && !is_readable(operation))) return operation.source;
  return writes(operation.sort) ? other_reader(memory_[static_cast<std::size_t>(operation.location)], id) : kNoOperation;
}

OperationId Schedule::other_reader(OperationId write, OperationId reader) const {
  for (OperationId id = 0; id < operations_->size(); ++id)
    if (id != reader && reads((*operations_)[id].sort) && (*operations_)[id].source == write && !is_done(id)) return id;
  return kNoOperation;
}

}  // namespace ordeal::analysis
