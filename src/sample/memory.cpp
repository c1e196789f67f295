#include "sample/memory.h"

#include <algorithm>
#include <utility>

namespace ordeal::sample {

using model::acquires;
using model::releases;

namespace {

constexpr Label kHighest = ~Label{0} - kGap;

/// Grows by a quarter: the lists have their part in what a store takes.
template <class T>
void append(std::vector<T>& list, const T& element) {
  if (list.size() == list.capacity()) list.reserve(list.size() + list.size() / 4 + 4);
  list.push_back(element);
}

}  // namespace

StoreId Stores::add() {
  ++in_use_;
  StoreId id = first_free_;
  if (id != kNoStore) first_free_ = (*this)[id].next;
  else if ((id = end_++) / kBlock == blocks_.size()) blocks_.push_back(std::make_unique<Store[]>(kBlock));
  (*this)[id] = {};
  return id;
}

void Stores::free(StoreId id) {
  --in_use_;
  (*this)[id].next = first_free_;
  first_free_ = id;
}

void Stores::clear() {
  end_ = kNoStore + 1;
  first_free_ = kNoStore;
  in_use_ = 0;
}

Memory::Memory() { begin(); }

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

void Memory::begin_anew() {
  begin();
  base_ = 0;
  for (Thread& thread : threads_) reset(thread);
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
  stores_.clear();
  sc_time_ = last_fence_time_ = 0;
  window_was_used_ = false;
  width_ = 1;
  widen(0);
  at(0).knows[0] = base_ + 1;
  at(0).is_live = true;
}

// --- locations -------------------------------------------------------------------------------------------------------------

Memory::LocationId Memory::new_location(Value initial, bool keeps_last_only) {
  if (location_count_ == locations_.size()) locations_.emplace_back();
  Location& location = locations_[location_count_];
  for (std::uint32_t t = 0; t < location.threads; ++t) {
    Accesses& accesses = location.accesses[t];
    accesses.stores.clear();
    accesses.marks.clear();
    accesses.version = 0;
    accesses.floor = 0;
  }
  location.threads = 0;
  location.sc_marks.clear();
  location.keeps_last_only = keeps_last_only;
  location.prune_at = kPruneAt;
  location.count = location.free = 1;
  const StoreId id = stores_.add();
  stores_[id].value = initial;
  stores_[id].label = first_label_;
  location.first = location.last = id;
  return location_count_++;
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
Label Memory::mark_at(const std::vector<Mark>& marks, Tick tick) const {
  if (marks.empty()) return 0;
  if (marks.back().tick <= tick) return stores_[marks.back().store].label;
  const auto behind = std::upper_bound(marks.begin(), marks.end(), tick, [](Tick bound, const Mark& mark) { return bound < mark.tick; });
  return behind == marks.begin() ? 0 : stores_[std::prev(behind)->store].label;
}

Label Memory::sc_mark_at(const std::vector<ScMark>& marks, std::uint64_t time) const {
  const auto behind = std::upper_bound(marks.begin(), marks.end(), time, [](std::uint64_t bound, const ScMark& mark) { return bound < mark.time; });
  return behind == marks.begin() ? 0 : stores_[std::prev(behind)->store].label;
}

/// What the thread has learnt since.
Label Memory::compute_floor(int thread, const Location& location, Label floor) {
  const Thread& knower = at(thread);
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
  if (!location.sc_marks.empty()) floor = std::max(floor, stores_[location.sc_marks.back().store].label);  // [atomics.order]p4.1
  if (fences_ != nullptr)                                                                   // p4.2
    for (std::uint32_t u = 0; u < location.threads; ++u) floor = std::max(floor, mark_at(location.accesses[u].marks, fences_->at(static_cast<int>(u))));
  return floor;
}

/// The thread has accessed the location, and is at this store.
void Memory::note_position(int thread, Location& location, StoreId store, bool is_sc) {
  if (location.keeps_last_only) return;
  const Label label = stores_[store].label;
  Accesses& own = accesses(thread, location);
  own.floor = std::max(own.floor, label);
  if (own.marks.empty() || stores_[own.marks.back().store].label < label) {
    const Tick now = tick(thread);
    if (!own.marks.empty() && own.marks.back().tick == now) own.marks.back().store = store;
    else append(own.marks, {now, store});
  }
  if (is_sc) note_sc_position(location, store);
}

/// Marks are looked up by the times of fences: between two fences only the last one matters.
void Memory::note_sc_position(Location& location, StoreId store) {
  std::vector<ScMark>& marks = location.sc_marks;
  ++sc_time_;
  if (!marks.empty() && stores_[marks.back().store].label >= stores_[store].label) return;
  if (!marks.empty() && marks.back().time > last_fence_time_) marks.back() = {sc_time_, store};
  else marks.push_back({sc_time_, store});
}

// --- reads -----------------------------------------------------------------------------------------------------------------

std::uint32_t Memory::readable(int thread, LocationId id, MemoryOrder order) {
  suffixes_.clear();
  Location& location = locations_[id];
  const Label newest = stores_[location.last].label;
  if (location.keeps_last_only || accesses(thread, location).floor >= newest) return 1;  // floors only rise: whatever it has learnt since
  const Label lowest = floor(thread, id, order == MemoryOrder::kSeqCst);
  if (lowest >= newest) return 1;
  std::uint32_t count = 0;
  if (const Store& initial = stores_[location.first]; initial.thread < 0 && initial.label >= lowest) suffixes_.push_back({-1, 0, 1}), ++count;
  for (std::uint32_t u = 0; u < location.threads; ++u) {
    const Accesses& theirs = location.accesses[u];
    const auto begin = theirs.stores.begin(), end = theirs.stores.end();
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
  note_position(thread, locations_[id], from, order == MemoryOrder::kSeqCst);
  if (acquires(order)) acquire(thread, source.published);
  else note_pending(thread, source.published);
  return source.value;
}

// --- writes ----------------------------------------------------------------------------------------------------------------

Label Memory::label_behind(Location& location, StoreId after) {
  const StoreId next = stores_[after].next;
  if (next == kNoStore) {
    if (stores_[after].label > kHighest) relabel(location);
    return stores_[after].label + kGap;
  }
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
  for (std::uint32_t t = 0; t < location.threads; ++t) {
    Label& floor = location.accesses[t].floor;  // of a store that is gone: below all
    const auto found = std::lower_bound(changes.begin(), changes.end(), std::pair<Label, Label>{floor, 0});
    floor = found != changes.end() && found->first == floor ? found->second : 0;
  }
}

StoreId Memory::insert(int thread, Location& location, StoreId after, Value value, std::uint32_t number) {
  const Label label = label_behind(location, after);
  const StoreId id = stores_.add();
  Store& store = stores_[id];
  store.value = value;
  store.label = label;
  store.thread = thread;
  store.number = number;
  store.next = stores_[after].next;
  stores_[after].next = id;
  if (store.next == kNoStore) location.last = id;
  ++location.count;
  ++location.free;
  return id;
}

/// The store is in its place, and has published. What comes behind it in its thread is not part of that.
void Memory::finish_write(int thread, Location& location, StoreId added, MemoryOrder order) {
  note_position(thread, location, added, order == MemoryOrder::kSeqCst);
  if (releases(order)) ++at(thread).knows[static_cast<std::size_t>(thread)];
  if (location.keeps_last_only) {
    while (location.first != location.last) drop_first(location);
    return;
  }
  append(accesses(thread, location).stores, added);
  if (location.count > location.prune_at || pruning_ == Pruning::kAlways) prune(location);
}

StoreId Memory::write(int thread, LocationId id, Value value, MemoryOrder order, StoreId after, std::uint32_t number) {
  Location& location = locations_[id];
  if (after == kNoStore || stores_[after].is_taken) after = location.last;
  const StoreId added = insert(thread, location, after, value, number);
  stores_[added].published = publish(thread, order, {});
  finish_write(thread, location, added, order);
  return added;
}

StoreId Memory::write_behind(int thread, LocationId id, StoreId source, Value value, MemoryOrder order, std::uint32_t number) {
  Location& location = locations_[id];
  const StoreId added = insert(thread, location, source, value, number);
  stores_[source].is_taken = true;
  --location.free;
  stores_[added].published = publish(thread, order, stores_[source].published);
  finish_write(thread, location, added, order);
  return added;
}

std::uint64_t Memory::bytes_in_use() const {
  std::uint64_t bytes = stores_.bytes();
  for (std::uint32_t l = 0; l < location_count_; ++l) {
    bytes += locations_[l].sc_marks.capacity() * sizeof(ScMark);
    for (const Accesses& each : locations_[l].accesses) bytes += each.stores.capacity() * sizeof(StoreId) + each.marks.capacity() * sizeof(Mark);
  }
  return bytes;
}

}  // namespace ordeal::sample
