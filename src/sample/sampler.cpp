#include "sample/sampler.h"

#include <algorithm>

namespace ordeal::sample {

using model::Access;
using model::RmwFunction;

void Sampler::begin(Strategy& strategy, std::uint64_t seed, std::uint64_t execution) {
  strategy_ = &strategy;
  memory_.begin();
  ready_.clear();
  std::fill(places_.begin(), places_.end(), -1);
  blocked_.clear();
  std::fill(waited_for_.begin(), waited_for_.end(), 0);
  strategy.begin(seed, execution);
  add_ready(0);
  chosen_ = 0;
}

// --- who runs --------------------------------------------------------------------------------------------------------------

void Sampler::add_ready(int thread) {
  if (static_cast<std::size_t>(thread) >= places_.size()) places_.resize(static_cast<std::size_t>(thread) + 1, -1);
  if (places_[static_cast<std::size_t>(thread)] != -1) return;
  places_[static_cast<std::size_t>(thread)] = static_cast<int>(ready_.size());
  ready_.push_back(thread);
}

void Sampler::remove_ready(int thread) {
  const int place = place_of(thread);
  if (place < 0) return;
  ready_[static_cast<std::size_t>(place)] = ready_.back();
  places_[static_cast<std::size_t>(ready_.back())] = place;
  ready_.pop_back();
  places_[static_cast<std::size_t>(thread)] = -1;
}

int Sampler::choose_thread(int thread, StepKind kind) {
  const int place = strategy_->next_thread({ready_, place_of(thread), kind});
  return chosen_ = ready_[static_cast<std::size_t>(place)];
}

void Sampler::created(int parent, int child) {
  memory_.create(parent, child);
  add_ready(child);
  strategy_->created(child);
}

void Sampler::ended(int thread) {
  remove_ready(thread);
  memory_.finish(thread);
  for (std::size_t i = 0; i < blocked_.size();) {
    if (blocked_[i].other == thread) wake(blocked_[i].thread);
    else ++i;
  }
}

void Sampler::block_at(int thread, Memory::LocationId location) {
  remove_ready(thread);
  blocked_.push_back({thread, location, -1});
  if (location >= waited_for_.size()) waited_for_.resize(location + 1, 0);
  waited_for_[location] = 1;
}

void Sampler::block_at_lock(int thread, Memory::LocationId location) {
  block_at(thread, location);
  memory_.note_waiting_at(thread, location);
}

void Sampler::block_until_end(int thread, int other) {
  remove_ready(thread);
  blocked_.push_back({thread, -1, other});
  memory_.note_waiting_for_thread(thread, other);
}

void Sampler::wake(int thread) {
  std::erase_if(blocked_, [&](const Blocked& blocked) { return blocked.thread == thread; });
  memory_.note_running(thread);
  add_ready(thread);
}

void Sampler::leave_behind(int thread) {
  remove_ready(thread);
  std::erase_if(blocked_, [&](const Blocked& blocked) { return blocked.thread == thread; });
  if (static_cast<std::size_t>(thread) >= places_.size()) places_.resize(static_cast<std::size_t>(thread) + 1, -1);
  places_[static_cast<std::size_t>(thread)] = kLeftBehind;
}

void Sampler::wake_waiting(Memory::LocationId location) {
  waited_for_[location] = 0;
  for (std::size_t i = 0; i < blocked_.size();) {
    if (blocked_[i].location == static_cast<std::int64_t>(location)) wake(blocked_[i].thread);
    else ++i;
  }
}

// --- what operations do ------------------------------------------------------------------------------------------------------

/// For strategies the newest is the last one: it changes places with the one that is.
StoreId Sampler::readable_at(Memory::LocationId location, std::uint32_t count, std::uint32_t index) const {
  const StoreId newest = memory_.last_id(location);
  if (index + 1 >= count) return newest;
  const StoreId store = memory_.readable_at(location, index);
  return store == newest ? memory_.readable_at(location, count - 1) : store;
}

StoreId Sampler::choose_store(int thread, Memory::LocationId location, std::uint32_t count) {
  const std::uint32_t index = strategy_->which_store(thread, count);
  return index >= count ? memory_.last_id(location) : readable_at(location, count, index);
}

void Sampler::store(int thread, Memory::LocationId location, Value value, MemoryOrder order, std::uint32_t number) {
  StoreId after = kNoStore;
  if (const std::uint32_t count = memory_.readable(thread, location, order); count > 1) {
    const std::uint32_t index = strategy_->which_place(thread, count);
    if (index < count) after = readable_at(location, count, index);
  }
  memory_.write(thread, location, value, order, after, number);
  changed(location);
}

/// Whether the RMW, reading this store, could do what it must then do. One that fails there is a load with the failure order.
bool Sampler::may_build_upon(int thread, Memory::LocationId location, const Access& access, StoreId store) {
  const Store& source = memory_.store(store);
  const bool writes = model::writes_after_reading(access, source.value);
  if (writes && source.is_taken) return false;
  return memory_.may_read(thread, location, writes || !model::may_fail(access) ? access.order : access.failure_order, store);
}

/// Whether a weak one fails without reason: it is a load then, whatever it reads.
bool Sampler::fails_spuriously(int thread, Memory::LocationId location, const Access& access) {
  if (access.is_weak == 0) return false;
  const std::int32_t writer = memory_.last(location).thread;
  if (access.needs_rival != 0 && (writer < 0 || writer == thread)) return false;
  return answer(Question::kFailsSpuriously, 2) == 1;
}

StoreId Sampler::source_of(int thread, Memory::LocationId location, const Access& access) {
  if (!model::may_fail(access) && memory_.count_of_free(location) == 1) return memory_.last_id(location);  // a counter, most often
  const bool fails = model::may_fail(access) && access.failure_order != MemoryOrder::kSeqCst;
  const std::uint32_t count = memory_.readable(thread, location, fails ? access.failure_order : access.order);  // the weaker, as to seq_cst
  constexpr int kTries = 4;  // most often many stores are taken; the last one never is
  for (int i = 0; count > 1 && i < kTries; ++i)
    if (const StoreId tried = choose_store(thread, location, count); may_build_upon(thread, location, access, tried)) return tried;
  return memory_.last_id(location);
}

Sampler::Rmw Sampler::rmw(int thread, Memory::LocationId location, const Access& access, std::uint32_t number) {
  if (fails_spuriously(thread, location, access)) return {load(thread, location, access.failure_order), false};
  const StoreId source = source_of(thread, location, access);
  const Value old = memory_.store(source).value;
  const bool writes = model::writes_after_reading(access, old);
  memory_.read(thread, location, source, writes || !model::may_fail(access) ? access.order : access.failure_order);
  if (!writes) return {source, false};
  memory_.write_behind(thread, location, source, model::value_written(access, old), access.order, number);
  changed(location);
  return {source, true};
}

StoreId Sampler::await(int thread, Memory::LocationId location, const Access& access) {
  const std::uint32_t count = memory_.readable(thread, location, access.order);
  StoreId from = count == 1 ? memory_.last_id(location) : choose_store(thread, location, count);
  if (!model::fits(access, memory_.store(from).value)) from = memory_.last_id(location);
  if (!model::fits(access, memory_.store(from).value)) return kNoStore;
  memory_.read(thread, location, from, access.order);
  return from;
}

}  // namespace ordeal::sample
