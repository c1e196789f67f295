#include "runtime/locations.h"

#include <algorithm>
#include <cstring>

#include "runtime/heap.h"
#include "runtime/layout.h"
#include "runtime/shadow.h"

namespace ordeal::runtime {
namespace {

std::size_t slot_of(std::uintptr_t key, std::size_t size) { return static_cast<std::size_t>(key * 0x9E3779B97F4A7C15ULL >> 24) & (size - 1); }

}  // namespace

trace::LocationSort sort_in_trace(LocationSort sort) {
  switch (sort) {
    case LocationSort::kMutex: return trace::LocationSort::kMutex;
    case LocationSort::kCondition: return trace::LocationSort::kCondition;
    case LocationSort::kSharedMutex: return trace::LocationSort::kSharedMutex;
    case LocationSort::kSemaphore: return trace::LocationSort::kSemaphore;
    case LocationSort::kBarrier: return trace::LocationSort::kBarrier;
    case LocationSort::kMemory:
    case LocationSort::kAnnotation:
    case LocationSort::kReader: break;
  }
  return trace::LocationSort::kMemory;
}

void Locations::grow() {
  std::vector<Slot> larger(table_.empty() ? 256 : table_.size() * 2);
  for (const Slot& slot : table_) {
    if (slot.key == 0) continue;
    std::size_t at = slot_of(slot.key, larger.size());
    while (larger[at].key != 0) at = (at + 1) & (larger.size() - 1);
    larger[at] = slot;
  }
  table_ = std::move(larger);
}

std::int32_t Locations::find(std::uintptr_t key) const {
  if (table_.empty()) return -1;
  std::size_t at = slot_of(key, table_.size());
  while (table_[at].key != 0 && table_[at].key != key) at = (at + 1) & (table_.size() - 1);
  return table_[at].key == key ? table_[at].location : -1;
}

std::int32_t Locations::find_sync_object(std::uintptr_t address, LocationSort sort, std::uint32_t word) const { return find(key_of(address, word, sort)); }

std::int32_t Locations::find_or_make(std::uintptr_t address, std::uint32_t size, LocationSort sort, std::uint32_t generation) {
  if (all_.size() * 2 >= table_.size()) grow();
  const std::uintptr_t key = key_of(address, size, sort, generation);
  std::size_t at = slot_of(key, table_.size());
  while (table_[at].key != 0 && table_[at].key != key) at = (at + 1) & (table_.size() - 1);
  if (table_[at].key == 0) {
    table_[at] = {key, static_cast<std::int32_t>(all_.size())};
    NativeLocation& made = all_.emplace_back();
    made.address = address;
    made.size = size;
    made.sort = sort;
    made.first = generation == 0 ? table_[at].location : find(key_of(address, size, sort));
    if (generation == 0) note_overlaps(table_[at].location);
  }
  return table_[at].location;
}

std::int32_t Locations::current(std::int32_t first) const {
  const NativeLocation& location = all_[static_cast<std::size_t>(first)];
  if (location.generation == 0 || location.generation_execution != execution_) return first;
  return find(key_of(location.address, location.size, location.sort, location.generation));
}

void Locations::note_on_stack(std::int32_t first) {
  const std::size_t thread = (all_[static_cast<std::size_t>(first)].address - kStackBase) / kStackStride;
  if (on_stack_.size() <= thread) on_stack_.resize(thread + 1);
  std::vector<std::int32_t>& known = on_stack_[thread];
  if (all_[static_cast<std::size_t>(first)].overlapping.empty() || std::find(known.begin(), known.end(), first) == known.end()) known.push_back(first);
}

void Locations::retire(int thread, std::uintptr_t bound) {
  std::erase_if(on_stack_[static_cast<std::size_t>(thread)], [&](std::int32_t first) {
    if (all_[static_cast<std::size_t>(first)].address >= bound) return false;
    NativeLocation& location = change(first);
    if (location.generation_execution != execution_) location.generation = 0;
    if (location.generation == kMostGenerations) return false;
    for (std::uint32_t generation = location.overlapping.empty() ? location.generation : 0; generation <= location.generation; ++generation)
      change(find(key_of(location.address, location.size, location.sort, generation))).execution = 0;
    location.generation_execution = execution_;
    ++location.generation;
    find_or_make(location.address, location.size, location.sort, location.generation);
    return true;
  });
}

model::LocationId Locations::at(std::uintptr_t address, std::uint32_t size, LocationSort sort) {
  const std::int32_t first = find_or_make(address, size, sort, 0);
  const model::LocationId id{current(first)};
  NativeLocation& location = (*this)[id];
  if (location.execution != execution_) {
    location.execution = execution_;
    if (is_stack(address)) note_on_stack(first);
    location.holder = -1;
    location.depth = 0;
    location.is_robust = false;
    location.left = 0;
    location.written_by = -1;
    location.is_repeated = false;
    location.begun = location.written = 0;
    if (sort == LocationSort::kMemory) {
      location.initial = location.held = load(address, size);
      location.is_uninitialised = is_heap(address) && ProgramHeap::is_untouched(address, size) && !Shadow::is_written(address, size);
    }
  }
  return id;
}

void Locations::note(std::int32_t location) {
  NativeLocation& changed = all_[static_cast<std::size_t>(location)];
  changed.noted = now_;
  changes_.push_back({location, changed});
}

void Locations::keep(Image& image) {
  now_ = ++latest_;
  image.changes = changes_.size();
  image.begun_with = begun_with_.size();
  image.looks = looks_.size();
  image.on_stack = on_stack_;
}

void Locations::go_back(const Image& image) {
  for (; changes_.size() > image.changes; changes_.pop_back())
    static_cast<LocationState&>(all_[static_cast<std::size_t>(changes_.back().location)]) = changes_.back().before;
  begun_with_.resize(image.begun_with);
  looks_.resize(image.looks);
  now_ = ++latest_;
  for (std::size_t thread = 0; thread < on_stack_.size(); ++thread) {
    if (thread < image.on_stack.size()) on_stack_[thread] = image.on_stack[thread];
    else on_stack_[thread].clear();
  }
}

bool Locations::is_known(std::uintptr_t address, std::uint32_t size) const {
  const std::int32_t first = find(key_of(address, size, LocationSort::kMemory));
  return first >= 0 && all_[static_cast<std::size_t>(current(first))].execution == execution_;
}

model::Value Locations::intern(unsigned __int128 value) {
  for (std::size_t i = 0; i < wide_.size(); ++i)
    if (wide_[i] == value) return static_cast<model::Value>(i);
  wide_.push_back(value);
  return static_cast<model::Value>(wide_.size() - 1);
}

model::Value Locations::load(std::uintptr_t address, std::uint32_t size) {
  if (size == 16) {
    unsigned __int128 value;
    std::memcpy(&value, reinterpret_cast<void*>(address), 16);
    return intern(value);
  }
  const auto* memory = reinterpret_cast<const void*>(address);
  std::uint64_t value = 0;
  switch (size) {  // so that there is no call
    case 8: std::memcpy(&value, memory, 8); break;
    case 4: std::memcpy(&value, memory, 4); break;
    case 1: std::memcpy(&value, memory, 1); break;
    default: std::memcpy(&value, memory, size); break;
  }
  return static_cast<model::Value>(value);
}

void Locations::store(std::uintptr_t address, std::uint32_t size, model::Value value) const {
  auto* memory = reinterpret_cast<void*>(address);
  switch (size) {
    case 16: std::memcpy(memory, &wide_[static_cast<std::size_t>(value)], 16); break;
    case 8: std::memcpy(memory, &value, 8); break;
    case 4: std::memcpy(memory, &value, 4); break;
    case 1: std::memcpy(memory, &value, 1); break;
    default: std::memcpy(memory, &value, 2); break;
  }
}

void Locations::put(model::LocationId location, model::Value value) {
  NativeLocation& written = (*this)[location];
  store(written.address, written.size, value);
  written.held = load(written.address, written.size);
}

}  // namespace ordeal::runtime
