// The part of the table of locations that knows single bytes: memory that is accessed atomically with several sizes.
#include <algorithm>
#include <cstring>

#include "runtime/locations.h"

namespace ordeal::runtime {
namespace {

constexpr std::uint32_t kMostBytes = 16;

bool shares_bytes(const NativeLocation& a, const NativeLocation& b) { return a.address < b.address + b.size && b.address < a.address + a.size; }
bool has_byte(const NativeLocation& location, std::uintptr_t byte) { return byte - location.address < location.size; }

}  // namespace

void Locations::note_overlaps(std::int32_t added) {
  NativeLocation& location = all_[static_cast<std::size_t>(added)];
  if (location.sort != LocationSort::kMemory) return;
  for (std::int32_t i = 0; i < added; ++i) {
    NativeLocation& other = all_[static_cast<std::size_t>(i)];
    if (other.sort != LocationSort::kMemory || other.first != i || !shares_bytes(other, location)) continue;
    location.overlapping.push_back(i);
    other.overlapping.push_back(added);
  }
}

bool Locations::is_mixed(model::LocationId location) const {
  const std::vector<std::int32_t>& others = first_of(location).overlapping;
  return std::any_of(others.begin(), others.end(), [&](std::int32_t other) { return all_[static_cast<std::size_t>(current(other))].execution == execution_; });
}

std::int32_t Locations::holder(const NativeLocation& first, std::uintptr_t byte) const {
  std::int32_t last = -1;
  const auto look_at = [&](const NativeLocation& one) {
    for (std::uint32_t generation = 0; has_byte(one, byte) && generation <= generations(one); ++generation) {
      const std::int32_t id = generation == 0 ? one.first : find(key_of(one.address, one.size, one.sort, generation));
      const NativeLocation& location = all_[static_cast<std::size_t>(id)];
      if (location.execution != execution_ || location.written == 0) continue;
      if (last < 0 || location.written > all_[static_cast<std::size_t>(last)].written) last = id;
    }
  };
  look_at(first);
  for (const std::int32_t other : first.overlapping) look_at(all_[static_cast<std::size_t>(other)]);
  return last;
}

std::uint16_t Locations::bytes_held(model::LocationId location) const {
  const NativeLocation& mine = (*this)[location];
  unsigned bytes = 0;
  for (std::uint32_t i = 0; i < mine.size; ++i)
    if (holder(first_of(location), mine.address + i) == number(location)) bytes |= 1U << i;
  return static_cast<std::uint16_t>(bytes);
}

Locations::Sources Locations::sources(model::LocationId location) const {
  const NativeLocation& first = first_of(location);
  Sources found;
  for (std::uintptr_t byte = first.address; byte < first.address + first.size; ++byte) {
    const model::LocationId id{holder(first, byte)};
    const bool is_known = std::any_of(found.begin(), found.end(), [&](const Source& source) { return source.location == id; });
    if (id == kUnknown || is_known) continue;
    if (const Source source{id, bytes_held(id)}; is_intact(source)) found.add(source);
  }
  return found;
}

bool Locations::must_begin_again(model::LocationId location) const {
  const NativeLocation &first = first_of(location), &mine = (*this)[location];
  for (std::uintptr_t byte = mine.address; byte < mine.address + mine.size; ++byte) {
    const std::int32_t id = holder(first, byte);
    if (id >= 0 && id != number(location) && all_[static_cast<std::size_t>(id)].written > mine.begun) return true;
  }
  return false;
}

model::LocationId Locations::begin_again(model::LocationId location, const Sources& sources) {
  const std::int32_t id = all_[static_cast<std::size_t>(number(location))].first;
  NativeLocation& first = change(id);
  if (first.generation_execution != execution_) first.generation = 0;
  if (first.generation == kMostGenerations) return kUnknown;
  first.generation_execution = execution_;
  ++first.generation;
  const std::uintptr_t address = first.address;
  const std::uint32_t size = first.size;
  find_or_make(address, size, LocationSort::kMemory, first.generation);
  const model::LocationId begun = at(address, size, LocationSort::kMemory);
  (*this)[begun].begun = ++time_;
  for (const Source& source : sources) begun_with_.push_back({number(begun), source});
  return begun;
}

Locations::Sources Locations::begun_with(model::LocationId location) const {
  Sources sources;
  for (const BegunWith& one : begun_with_)
    if (one.location == number(location)) sources.add(one.source);
  return sources;
}

bool Locations::has_looked(model::LocationId location, int thread) const {
  return std::any_of(looks_.begin(), looks_.end(), [&](const Look& look) { return look.location == number(location) && look.thread == thread; });
}

bool Locations::has_all_bytes(model::LocationId location) const {
  return !has_overlaps(location) || bytes_held(location) == (1U << (*this)[location].size) - 1;
}

bool Locations::is_intact(const Source& source) const {
  const NativeLocation& location = (*this)[source.location];
  unsigned char held[kMostBytes];
  copy_bytes(location.size, location.held, held);
  const auto* memory = reinterpret_cast<const unsigned char*>(location.address);
  for (std::uint32_t i = 0; i < location.size; ++i)
    if ((source.bytes >> i & 1) != 0 && memory[i] != held[i]) return false;
  return true;
}

void Locations::put(const Source& source, model::Value value) {
  NativeLocation& location = (*this)[source.location];
  unsigned char bytes[kMostBytes];
  copy_bytes(location.size, value, bytes);
  auto* memory = reinterpret_cast<unsigned char*>(location.address);
  for (std::uint32_t i = 0; i < location.size; ++i)
    if ((source.bytes >> i & 1) != 0) memory[i] = bytes[i];
  location.held = value;
}

void Locations::copy_bytes(std::uint32_t size, model::Value value, unsigned char* to) const {
  store(reinterpret_cast<std::uintptr_t>(to), size, value);
}

}  // namespace ordeal::runtime
