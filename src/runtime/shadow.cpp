#include "runtime/shadow.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "runtime/annotations.h"
#include "runtime/host.h"

namespace ordeal::runtime {

ShadowAccess Shadow::rival_;
std::uint32_t Shadow::execution_ = 1;
bool Shadow::has_milestone_ = false;
std::uint32_t Shadow::kept_records_ = 1;
Shadow::Change* Shadow::changes_ = nullptr;
std::uint32_t Shadow::change_count_ = 0, Shadow::change_capacity_ = 0;
Shadow::Record* Shadow::records_ = nullptr;
std::uint32_t Shadow::record_count_ = 1, Shadow::record_capacity_ = 0;
Shadow::Unaware* Shadow::unaware_ = nullptr;
std::uint32_t Shadow::unaware_count_ = 1, Shadow::unaware_capacity_ = 0;
Shadow::Page** Shadow::table_ = nullptr;
std::size_t Shadow::table_size_ = 0, Shadow::page_count_ = 0;
Shadow::Page* Shadow::cache_[64];

void Shadow::reset() {
  ++execution_;
  record_count_ = kept_records_ = 1;
  has_milestone_ = false;
  change_count_ = 0;
}

Shadow::Image Shadow::keep() {
  has_milestone_ = true;
  kept_records_ = record_count_;
  return {record_count_, change_count_};
}

void Shadow::go_back(Image image) {
  while (change_count_ > image.changes) {
    const Change& change = changes_[--change_count_];
    change.granule->first = change.first;
  }
  record_count_ = kept_records_ = image.records;
}

std::uint32_t Shadow::new_record() {
  host_make_room(records_, record_count_, record_capacity_, 4096);
  return record_count_++;
}

/// Without a milestone nobody goes back.
void Shadow::note_change(Granule& granule) {
  if (!has_milestone_) return;
  host_make_room(changes_, change_count_, change_capacity_, 1024);
  changes_[change_count_++] = {&granule, granule.first};
}

/// Open addressing; pages are never given back.
Shadow::Page& Shadow::find_page(std::uintptr_t number) {
  const auto slot_of = [](std::uintptr_t n, std::size_t size) { return static_cast<std::size_t>(n * 0x9E3779B97F4A7C15ULL >> 20) & (size - 1); };
  if (page_count_ * 2 >= table_size_) {
    const std::size_t size = std::max<std::size_t>(1024, table_size_ * 2);
    auto** larger = static_cast<Page**>(host_allocate(size * sizeof(Page*)));
    std::memset(larger, 0, size * sizeof(Page*));
    for (std::size_t i = 0; i < table_size_; ++i) {
      if (table_[i] == nullptr) continue;
      std::size_t slot = slot_of(table_[i]->number, size);
      while (larger[slot] != nullptr) slot = (slot + 1) & (size - 1);
      larger[slot] = table_[i];
    }
    if (table_ != nullptr) host_free(table_);
    table_ = larger;
    table_size_ = size;
  }
  std::size_t slot = slot_of(number, table_size_);
  while (table_[slot] != nullptr && table_[slot]->number != number) slot = (slot + 1) & (table_size_ - 1);
  if (table_[slot] == nullptr) {
    auto* made = static_cast<Page*>(host_allocate(sizeof(Page)));
    std::memset(made, 0, sizeof(Page));
    made->number = number;
    table_[slot] = made;
    ++page_count_;
  }
  return *table_[slot];
}

/// What covers it comes to the front: the next access is mostly of the same kind. What it covers itself is taken out of the list.
bool Shadow::is_covered(Granule& granule, const Unaware& made) {
  std::uint32_t* link = &granule.unaware;
  while (*link != 0) {
    const std::uint32_t at = *link;
    Unaware& other = unaware_[at];
    if (other.covers(made)) {
      *link = other.next;
      other.next = granule.unaware;
      granule.unaware = at;
      return true;
    }
    if (made.covers(other)) *link = other.next;
    else link = &other.next;
  }
  return false;
}

void Shadow::note_unaware(Granule& granule, std::uint8_t mask, const ShadowAccess& access, Result& result) {
  for (ThreadMask rest = access.unaware_of; rest != 0;) {
    const int of = std::countr_zero(rest);
    rest &= static_cast<ThreadMask>(rest - 1);
    const std::uint32_t known = is_one_thread(of) && access.known_effects != nullptr ? access.known_effects[of] : 0;
    const Unaware made{{access.holds, mask, access.is_write, access.is_atomic}, access.thread, of, access.effects, known, 0};
    if (is_covered(granule, made)) continue;
    host_make_room(unaware_, unaware_count_, unaware_capacity_, 256);
    unaware_[unaware_count_] = made;
    unaware_[unaware_count_].next = granule.unaware;
    granule.unaware = unaware_count_++;
    result.met_vain_turn |= granule.is_vain != 0;
  }
}

bool Shadow::was_made(int thread, std::uintptr_t address, std::size_t size, bool is_write, base::ClockEntry events) {
  if (address % 8 + size > 8) return false;
  const auto mask = static_cast<std::uint8_t>(((1U << size) - 1) << address % 8);
  for (std::uint32_t at = first_of(granule_of(address)); at != 0; at = records_[at].next) {
    const Record& record = records_[at];
    const bool covers = (record.mask & mask) == mask && (record.is_write || !is_write) && record.atomic_size == 0 && !record.is_free;
    if (covers && record.thread == thread && record.clock >= events) return true;
  }
  return false;
}

/// An effect comes after whatever its thread did before: so if the one access comes from an effect that its rival comes before, they are ordered.
bool Shadow::has_unaware(const Granule* granule, const Trait& trait, const Cause& cause) {
  for (std::uint32_t at = granule->unaware; at != 0; at = unaware_[at].next) {
    const Unaware& rival = unaware_[at];
    if (rival.of == bit_of_thread(cause.thread) && rival.trait.conflicts_with(trait) && rival.effects >= cause.from_thread(rival.by) && rival.known <= cause.effects) return true;
  }
  return false;
}

[[gnu::noinline]] void Shadow::note_race(const Record& record, std::uint8_t mask, const ShadowAccess& access, Result& result) {
  if (result.races || Annotations::is_ignored(access.site, record.site, access.address, access.size)) return;
  result.races = true;
  rival_ = {access.address, access.size, record.is_write, record.atomic_size != 0, record.thread, record.clock, record.stack, record.site, record.is_free};
  if (access.is_free) rival_.address += static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(record.mask & mask)));
}

inline __attribute__((always_inline)) void Shadow::note_granule(Granule& granule, std::uint8_t mask, const ShadowAccess& access, const base::ClockEntry* hb, Result& result) {
  std::uint32_t& first = first_of(granule);
  // By 2 · is_atomic + is_write: the sort of an access, and those that it may race with, or that it wants to know of.
  static constexpr std::uint8_t kSorts[] = {kRead, kWrite, kAtomicRead, kAtomicWrite};
  static constexpr std::uint8_t kRivals[] = {kWrite | kAtomicRead | kAtomicWrite, kRead | kWrite | kAtomicRead | kAtomicWrite, kWrite, kRead | kWrite};
  const unsigned by = access.is_atomic * 2U + access.is_write;
  const bool matters = (granule.sorts & kRivals[by]) != 0;
  granule.sorts |= kSorts[by];
  const auto atomic_size = static_cast<std::uint8_t>(access.is_atomic ? access.size : 0);
  if (access.unaware_of != 0) note_unaware(granule, mask, access, result);
  std::uint32_t mine = 0;
  const std::uint32_t last = matters ? 1 : kept_records_;
  for (std::uint32_t i = first; i >= last; i = records_[i].next) {
    const Record& record = records_[i];
    if (record.thread == access.thread) {
      if (i >= kept_records_ && record.is_write == access.is_write && record.atomic_size == atomic_size && (record.mask & ~mask) == 0 && record.holds == access.holds) mine = i;
    } else if (hb[record.thread] <= record.clock && (record.mask & mask) != 0 && record.conflicts_with(access)) [[unlikely]] {
      note_race(record, mask, access, result);
    }
    if (access.is_atomic || record.atomic_size == 0 || (record.mask & mask) == 0) continue;
    result.met_atomic = true;
    result.met_atomic_write |= record.is_write;
  }
  if (mine == 0) {
    note_change(granule);
    mine = new_record();
    records_[mine].next = first;
    first = mine;
  }
  Record& record = records_[mine];
  record = {&granule, access.holds, record.next, mask, access.is_write, atomic_size, access.is_free, access.thread, access.clock, access.stack, access.site};
}

void Shadow::note(const ShadowAccess& access, const base::ClockEntry* hb, Result& result) {
  if ((access.address & 7) + access.size <= 8) [[likely]] {
    const auto mask = static_cast<std::uint8_t>(((1U << access.size) - 1) << (access.address & 7));
    return note_granule(granule_of(access.address), mask, access, hb, result);
  }
  const std::uintptr_t end = access.address + access.size;
  for (std::uintptr_t begin = access.address & ~std::uintptr_t{7}; begin < end; begin += 8) {
    const unsigned before = begin < access.address ? static_cast<unsigned>(access.address - begin) : 0;
    const unsigned behind = end - begin < 8 ? static_cast<unsigned>(8 - (end - begin)) : 0;
    const bool has_raced = result.races || !access.is_free;
    note_granule(granule_of(begin), static_cast<std::uint8_t>((0xFFU << before) & (0xFFU >> behind)), access, hb, result);
    if (result.races && !has_raced) rival_.address += begin - access.address;
  }
}

bool Shadow::is_written(std::uintptr_t address, std::size_t size) {
  for (std::uintptr_t at = address; at < address + size; ++at) {
    bool found = false;
    for (std::uint32_t i = first_of(granule_of(at)); i != 0 && !found; i = records_[i].next)
      found = records_[i].is_write && (records_[i].mask >> (at & 7) & 1) != 0;
    if (!found) return false;
  }
  return true;
}

ShadowAccess Shadow::find_unordered_of_other_size(std::uintptr_t address, std::size_t size, int thread, const base::ClockEntry* hb) {
  for (std::uintptr_t begin = address & ~std::uintptr_t{7}; begin < address + size; begin += 8) {
    const auto first = static_cast<unsigned>(std::max(address, begin) - begin);
    const auto mask = static_cast<std::uint8_t>((0xFFU << first) & (0xFFU >> (8 - std::min<std::size_t>(address + size - begin, 8))));
    for (std::uint32_t i = first_of(granule_of(begin)); i != 0; i = records_[i].next) {
      const Record& record = records_[i];
      if (record.atomic_size == 0 || (record.mask & mask) == 0 || record.thread == thread) continue;
      if ((record.mask == mask && record.atomic_size == size) || hb[record.thread] > record.clock) continue;
      const auto at = begin + static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(record.mask & mask)));
      return {at, record.atomic_size, record.is_write, true, record.thread, record.clock, record.stack, record.site};
    }
  }
  return {};
}

bool Shadow::would_race(const ShadowAccess& access, const base::ClockEntry* hb) {
  for (std::uintptr_t at = access.address; at < access.address + access.size; ++at) {
    for (std::uint32_t i = first_of(granule_of(at)); i != 0; i = records_[i].next) {
      const Record& record = records_[i];
      if ((record.mask >> (at & 7) & 1) != 0 && record.conflicts_with(access) && hb[record.thread] <= record.clock) return true;
    }
  }
  return false;
}

}  // namespace ordeal::runtime
