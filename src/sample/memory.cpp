#include "sample/memory.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace ordeal::sample {

using model::acquires;
using model::releases;

namespace {

constexpr Label kGap = Label{1} << 32;  // between labels, for those that come between
constexpr std::uint32_t kPruneAt = 64;

}  // namespace

Memory::Memory() : stores_(1024) { begin(); }

void Memory::reset(Thread& thread) {
  rows_.let_go(thread.row);
  rows_.let_go(thread.fence);
  rows_.let_go(thread.pending_fence);
  rows_.let_go(thread.release_fence.row);
  thread.row = thread.fence = thread.pending_fence = nullptr;
  thread.release_fence = {};
  thread.fence_time = thread.pending_fence_time = 0;
  std::fill(thread.knows.begin(), thread.knows.end(), base_);
  thread.has_pending = false;
  thread.is_live = false;
  thread.waits_for = thread.waits_at = -1;
  ++thread.version;
}

void Memory::begin() {
  for (std::uint32_t l = 0; l < location_count_; ++l) {
    Location& location = locations_[l];
    for (StoreId id = location.first; id != kNoStore; id = stores_[id].next) rows_.let_go(stores_[id].published.row);
  }
  for (std::size_t t = 0; t < threads_.size(); ++t) base_ = std::max(base_, threads_[t].knows[t]);
  for (Thread& thread : threads_) reset(thread);
  rows_.let_go(fences_);
  fences_ = nullptr;
  location_count_ = 0;
  free_stores_.clear();
  store_end_ = 1;
  stores_in_use_ = 0;
  sc_time_ = 0;
  window_was_used_ = false;
  width_ = 1;
  widen(0);
  at(0).knows[0] = base_ + 1;
  at(0).is_live = true;
}

// --- threads -------------------------------------------------------------------------------------------------------------

void Memory::widen(int thread) {
  width_ = std::max(width_, thread + 1);
  const auto wanted = static_cast<std::size_t>((width_ + 3) & ~3);
  if (threads_.size() < wanted) threads_.resize(wanted);
  for (Thread& each : threads_)
    if (each.knows.size() < wanted) each.knows.resize(wanted, base_);
}

/// A number may be used again once its thread has ended and been joined: ticks go on.
void Memory::create(int parent, int child) {
  widen(child);
  Thread& made = at(child);
  const Tick before = made.knows[static_cast<std::size_t>(child)];
  reset(made);
  Thread& creator = at(parent);
  std::copy(creator.knows.begin(), creator.knows.end(), made.knows.begin());
  made.knows[static_cast<std::size_t>(child)] = std::max(before, creator.knows[static_cast<std::size_t>(child)]) + 1;
  learn_fence(made, creator.fence, creator.fence_time);
  made.is_live = true;
  ++creator.knows[static_cast<std::size_t>(parent)];
}

void Memory::finish(int thread) { at(thread).is_live = false; }

void Memory::join(int thread, int other) {
  Thread& knower = at(thread);
  const Thread& ended = at(other);
  for (std::size_t u = 0; u < knower.knows.size(); ++u) knower.knows[u] = std::max(knower.knows[u], ended.knows[u]);
  learn_fence(knower, ended.fence, ended.fence_time);
  ++knower.version;
  rows_.let_go(knower.row);
  knower.row = nullptr;
}

/// What the thread knows of others, to be shared.
Row* Memory::row_of(int thread) {
  Thread& knower = at(thread);
  if (knower.row != nullptr) return knower.row;
  Row* row = rows_.make(width_);
  std::memcpy(row->ticks(), knower.knows.data(), static_cast<std::size_t>(width_) * sizeof(Tick));
  row->ticks()[thread] = 0;  // goes on, while the row stays
  row->fence = rows_.share(knower.fence);
  row->time = knower.fence_time;
  return knower.row = row;
}

void Memory::learn_fence(Thread& knower, Row* fence, std::uint64_t time) {
  if (fence == nullptr || time <= knower.fence_time) return;
  rows_.let_go(knower.fence);
  knower.fence = rows_.share(fence);
  knower.fence_time = time;
  ++knower.version;
}

void Memory::learn(Thread& knower, Row* row, Tick tick, int thread) {
  bool has_learnt = false;
  const auto width = std::min<std::size_t>(row->width, knower.knows.size());
  for (std::size_t u = 0; u < width; ++u)
    if (row->ticks()[u] > knower.knows[u]) knower.knows[u] = row->ticks()[u], has_learnt = true;
  if (tick > knower.knows[static_cast<std::size_t>(thread)]) knower.knows[static_cast<std::size_t>(thread)] = tick, has_learnt = true;
  if (row->time > knower.fence_time) learn_fence(knower, row->fence, row->time), has_learnt = true;
  if (!has_learnt) return;
  ++knower.version;
  rows_.let_go(knower.row);
  knower.row = nullptr;
}

void Memory::acquire(int thread, const Published& published) {
  if (published.row == nullptr) return;
  Thread& knower = at(thread);
  // Who knows an event of a thread knows all that the thread knew then.
  if (knower.knows[static_cast<std::size_t>(published.thread)] >= published.tick && !published.row->is_mixed) return;
  learn(knower, published.row, published.tick, published.thread);
}

void Memory::note_pending(int thread, const Published& published) {
  if (published.row == nullptr) return;
  Thread& knower = at(thread);
  const auto from = static_cast<std::size_t>(published.thread);
  if (knower.knows[from] >= published.tick && !published.row->is_mixed) return;
  if (!knower.has_pending) {
    knower.has_pending = true;
    knower.pending.assign(knower.knows.size(), 0);
    rows_.let_go(knower.pending_fence);
    knower.pending_fence = nullptr;
    knower.pending_fence_time = 0;
  }
  if (knower.pending.size() < knower.knows.size()) knower.pending.resize(knower.knows.size(), 0);
  if (knower.pending[from] >= published.tick && !published.row->is_mixed) return;
  Row* row = published.row;
  for (std::size_t u = 0; u < row->width; ++u) knower.pending[u] = std::max(knower.pending[u], row->ticks()[u]);
  knower.pending[from] = std::max(knower.pending[from], published.tick);
  if (row->time <= knower.pending_fence_time) return;
  rows_.let_go(knower.pending_fence);
  knower.pending_fence = rows_.share(row->fence);
  knower.pending_fence_time = row->time;
}

/// The thread's tick goes on: what comes behind is not part of it.
void Memory::release(int thread, Published& into) {
  const Published now{rows_.share(row_of(thread)), tick(thread), thread};
  ++at(thread).knows[static_cast<std::size_t>(thread)];
  if (into.row == nullptr) {
    into = now;
    return;
  }
  Published joined = join(into, now);
  let_go(into);
  rows_.let_go(now.row);
  into = joined;
}

void Memory::let_go(Published& published) {
  rows_.let_go(published.row);
  published = {};
}

/// Of both; one of them is shared if it covers the other.
Published Memory::join(const Published& a, const Published& b) {
  const auto covers = [](const Published& large, const Published& small) {
    return !small.row->is_mixed && (small.thread == large.thread ? large.tick >= small.tick : large.row->at(small.thread) >= small.tick);
  };
  if (covers(b, a)) return {rows_.share(b.row), b.tick, b.thread};
  if (covers(a, b)) return {rows_.share(a.row), a.tick, a.thread};
  Row* row = rows_.make(std::max<int>(width_, static_cast<int>(std::max(a.row->width, b.row->width))));
  for (int u = 0; u < static_cast<int>(row->width); ++u) row->ticks()[u] = std::max(a.row->at(u), b.row->at(u));
  row->ticks()[a.thread] = std::max(row->ticks()[a.thread], a.tick);
  row->ticks()[b.thread] = std::max(row->ticks()[b.thread], b.tick);
  row->is_mixed = true;
  const Row* later = a.row->time >= b.row->time ? a.row : b.row;
  row->fence = rows_.share(later->fence);
  row->time = later->time;
  return {row, b.tick, b.thread};
}

/// What a store with this order publishes, on top of what it inherits from the store that it builds upon (C++20: a release
/// sequence goes on through RMWs only). The caller lets the tick go on.
Published Memory::publish(int thread, MemoryOrder order, const Published& inherited) {
  Thread& knower = at(thread);
  Published own;
  if (releases(order)) own = {row_of(thread), tick(thread), thread};
  else if (knower.release_fence.row != nullptr) own = knower.release_fence;  // [atomics.fences]p2
  if (own.row == nullptr || inherited.row == nullptr) {
    const Published& one = own.row != nullptr ? own : inherited;
    return {rows_.share(one.row), one.tick, one.thread};
  }
  return join(inherited, own);
}

void Memory::fence(int thread, MemoryOrder order) {
  Thread& knower = at(thread);
  if (acquires(order) && knower.has_pending) {
    for (std::size_t u = 0; u < knower.pending.size(); ++u) knower.knows[u] = std::max(knower.knows[u], knower.pending[u]);
    learn_fence(knower, knower.pending_fence, knower.pending_fence_time);
    knower.has_pending = false;
    ++knower.version;
    rows_.let_go(knower.row);
    knower.row = nullptr;
  }
  if (order == MemoryOrder::kSeqCst) {
    // It knows what fences before it knew, in the sense of [atomics.order]p4.4; they, from now on, what it knows.
    Row* all = rows_.make(width_);
    for (int u = 0; u < width_; ++u) all->ticks()[u] = std::max(knower.knows[static_cast<std::size_t>(u)], fences_ == nullptr ? 0 : fences_->at(u));
    Row* before = fences_ != nullptr ? fences_ : rows_.make(0);
    fences_ = all;
    learn_fence(knower, before, ++sc_time_);
    rows_.let_go(before);
    rows_.let_go(knower.row);
    knower.row = nullptr;
  }
  if (!releases(order)) return;
  rows_.let_go(knower.release_fence.row);
  knower.release_fence = {rows_.share(row_of(thread)), tick(thread), thread};
  ++knower.knows[static_cast<std::size_t>(thread)];
}

// --- locations -------------------------------------------------------------------------------------------------------------

Memory::LocationId Memory::new_location(Value initial, bool keeps_last_only) {
  if (location_count_ == locations_.size()) locations_.emplace_back();
  Location& location = locations_[location_count_];
  for (std::uint32_t t = 0; t < location.threads; ++t) {
    Accesses& accesses = location.accesses[t];
    accesses.stores.clear();
    accesses.marks.clear();
    accesses.first = accesses.version = 0;
    accesses.floor = 0;
  }
  location.threads = 0;
  location.sc_marks.clear();
  location.keeps_last_only = keeps_last_only;
  location.prune_at = kPruneAt;
  location.count = 1;
  const StoreId id = new_store();
  stores_[id].value = initial;
  stores_[id].label = kGap;
  location.first = location.last = id;
  return location_count_++;
}

StoreId Memory::new_store() {
  ++stores_in_use_;
  if (!free_stores_.empty()) {
    const StoreId id = free_stores_.back();
    free_stores_.pop_back();
    stores_[id] = {};
    return id;
  }
  if (store_end_ == stores_.size()) stores_.resize(stores_.size() * 2);
  stores_[store_end_] = {};
  return store_end_++;
}

void Memory::free_store(StoreId id) {
  --stores_in_use_;
  rows_.let_go(stores_[id].published.row);
  free_stores_.push_back(id);
}

Memory::Accesses& Memory::accesses(int thread, Location& location) {
  const auto t = static_cast<std::uint32_t>(thread);
  if (t >= location.threads) {
    if (t >= location.accesses.size()) location.accesses.resize(t + 1);
    location.threads = t + 1;
  }
  return location.accesses[t];
}

// --- floors ----------------------------------------------------------------------------------------------------------------

/// The last one up to the tick. Most often that is one of the latest.
Label Memory::mark_at(const std::vector<Mark>& marks, Tick tick) {
  if (marks.empty()) return 0;
  if (marks.back().tick <= tick) return marks.back().label;
  const auto behind = std::upper_bound(marks.begin(), marks.end(), tick, [](Tick bound, const Mark& mark) { return bound < mark.tick; });
  return behind == marks.begin() ? 0 : std::prev(behind)->label;
}

Label Memory::sc_mark_at(const std::vector<ScMark>& marks, std::uint64_t time) {
  const auto behind = std::upper_bound(marks.begin(), marks.end(), time, [](std::uint64_t bound, const ScMark& mark) { return bound < mark.time; });
  return behind == marks.begin() ? 0 : std::prev(behind)->label;
}

/// What the thread has learnt since.
Label Memory::compute_floor(int thread, Location& location, Label floor) {
  Thread& knower = at(thread);
  for (std::uint32_t u = 0; u < location.threads; ++u) {
    if (static_cast<int>(u) == thread || location.accesses[u].marks.empty()) continue;
    Tick known = knower.knows[u];                                                            // [intro.races]p14–p18: coherence
    if (knower.fence != nullptr) known = std::max(known, knower.fence->at(static_cast<int>(u)));  // [atomics.order]p4.4
    if (known > 0) floor = std::max(floor, mark_at(location.accesses[u].marks, known));
  }
  if (knower.fence_time > 0) floor = std::max(floor, sc_mark_at(location.sc_marks, knower.fence_time));  // p4.3
  return floor;
}

Label Memory::floor(int thread, LocationId id, bool is_sc) {
  Location& location = locations_[id];
  Accesses& own = accesses(thread, location);
  if (own.version != at(thread).version) {
    own.floor = compute_floor(thread, location, own.floor);
    own.version = at(thread).version;
  }
  if (!is_sc) return own.floor;
  Label floor = own.floor;
  if (!location.sc_marks.empty()) floor = std::max(floor, location.sc_marks.back().label);  // [atomics.order]p4.1
  if (fences_ != nullptr)                                                                   // p4.2
    for (std::uint32_t u = 0; u < location.threads; ++u) floor = std::max(floor, mark_at(location.accesses[u].marks, fences_->at(static_cast<int>(u))));
  return floor;
}

/// The thread has accessed the location, and is at this label.
void Memory::note_position(int thread, Location& location, Label label, bool is_sc) {
  Accesses& own = accesses(thread, location);
  own.floor = std::max(own.floor, label);
  if (own.marks.empty() || own.marks.back().label < label) {
    const Tick now = tick(thread);
    if (!own.marks.empty() && own.marks.back().tick == now) own.marks.back().label = label;
    else own.marks.push_back({now, label});
  }
  if (!is_sc) return;
  ++sc_time_;
  if (location.sc_marks.empty() || location.sc_marks.back().label < label) location.sc_marks.push_back({sc_time_, label});
}

// --- reads -----------------------------------------------------------------------------------------------------------------

std::uint32_t Memory::readable(int thread, LocationId id, MemoryOrder order) {
  suffixes_.clear();
  const Label lowest = floor(thread, id, order == MemoryOrder::kSeqCst);
  Location& location = locations_[id];
  if (lowest >= stores_[location.last].label || location.keeps_last_only) return 1;
  std::uint32_t count = 0;
  if (const Store& initial = stores_[location.first]; initial.thread < 0 && initial.label >= lowest) suffixes_.push_back({-1, 0, 1}), ++count;
  for (std::uint32_t u = 0; u < location.threads; ++u) {
    const Accesses& theirs = location.accesses[u];
    const auto begin = theirs.stores.begin() + theirs.first, end = theirs.stores.end();
    if (begin == end || stores_[theirs.stores.back()].label < lowest) continue;
    const auto from = std::partition_point(begin, end, [&](StoreId store) { return stores_[store].label < lowest; });
    const auto here = static_cast<std::uint32_t>(end - from);
    suffixes_.push_back({static_cast<std::int32_t>(u), static_cast<std::uint32_t>(from - theirs.stores.begin()), here});
    count += here;
  }
  return count;
}

StoreId Memory::readable_at(LocationId id, std::uint32_t index) const {
  const Location& location = locations_[id];
  for (const Suffix& suffix : suffixes_) {
    if (index < suffix.count) return suffix.thread < 0 ? location.first : location.accesses[static_cast<std::size_t>(suffix.thread)].stores[suffix.first + index];
    index -= suffix.count;
  }
  return location.last;
}

Value Memory::read(int thread, LocationId id, StoreId from, MemoryOrder order) {
  const Store& source = stores_[from];
  note_position(thread, locations_[id], source.label, order == MemoryOrder::kSeqCst);
  if (acquires(order)) acquire(thread, source.published);
  else note_pending(thread, source.published);
  return source.value;
}

// --- writes ----------------------------------------------------------------------------------------------------------------

Label Memory::label_behind(Location& location, StoreId after) {
  const StoreId next = stores_[after].next;
  if (next == kNoStore) return stores_[after].label + kGap;
  if (stores_[next].label - stores_[after].label < 2) relabel(location);
  return stores_[after].label + (stores_[next].label - stores_[after].label) / 2;
}

/// New labels for all, with gaps. Rare: a gap takes 32 that come between the same two.
void Memory::relabel(Location& location) {
  std::vector<std::pair<Label, Label>> changes;  // old, new
  Label label = kGap;
  for (StoreId id = location.first; id != kNoStore; id = stores_[id].next, label += kGap) {
    changes.emplace_back(stores_[id].label, label);
    stores_[id].label = label;
  }
  const auto renamed = [&](Label old) {  // of stores that are gone: below all
    const auto found = std::lower_bound(changes.begin(), changes.end(), std::pair<Label, Label>{old, 0});
    return found != changes.end() && found->first == old ? found->second : 0;
  };
  for (std::uint32_t t = 0; t < location.threads; ++t) {
    location.accesses[t].floor = renamed(location.accesses[t].floor);
    for (Mark& mark : location.accesses[t].marks) mark.label = renamed(mark.label);
  }
  for (ScMark& mark : location.sc_marks) mark.label = renamed(mark.label);
}

StoreId Memory::insert(int thread, Location& location, StoreId after, Value value, std::uint32_t number) {
  const Label label = label_behind(location, after);
  const StoreId id = new_store();
  Store& store = stores_[id];
  store.value = value;
  store.label = label;
  store.thread = thread;
  store.number = number;
  store.previous = after;
  store.next = stores_[after].next;
  stores_[after].next = id;
  if (store.next == kNoStore) location.last = id;
  else stores_[store.next].previous = id;
  ++location.count;
  return id;
}

StoreId Memory::write(int thread, LocationId id, Value value, MemoryOrder order, StoreId after, std::uint32_t number) {
  Location& location = locations_[id];
  floor(thread, id, false);  // up to date, for what comes behind
  if (after == kNoStore || stores_[after].is_taken) after = location.last;
  const StoreId added = insert(thread, location, after, value, number);
  stores_[added].published = publish(thread, order, {});
  note_position(thread, location, stores_[added].label, order == MemoryOrder::kSeqCst);
  if (releases(order)) ++at(thread).knows[static_cast<std::size_t>(thread)];
  if (location.keeps_last_only) drop_until(location, stores_[added].label);
  else {
    location.accesses[static_cast<std::size_t>(thread)].stores.push_back(added);
    if (location.count > location.prune_at) prune(location);
  }
  return added;
}

StoreId Memory::write_behind(int thread, LocationId id, StoreId source, Value value, MemoryOrder order, std::uint32_t number) {
  Location& location = locations_[id];
  floor(thread, id, false);
  const StoreId added = insert(thread, location, source, value, number);
  stores_[source].is_taken = true;
  stores_[added].published = publish(thread, order, stores_[source].published);
  note_position(thread, location, stores_[added].label, order == MemoryOrder::kSeqCst);
  if (releases(order)) ++at(thread).knows[static_cast<std::size_t>(thread)];
  if (location.keeps_last_only) drop_until(location, stores_[added].label);
  else {
    location.accesses[static_cast<std::size_t>(thread)].stores.push_back(added);
    if (location.count > location.prune_at) prune(location);
  }
  return added;
}

}  // namespace ordeal::sample
