#include "runtime/race_shadow.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>

namespace ordeal::runtime {

extern "C" {
constinit PlainState ordeal_plain_state;
/// What programs know it by. Within the library the other name is nearer.
extern __attribute__((visibility("default"), alias("ordeal_plain_state"))) PlainState __ordeal_plain_state;
}

bool RaceShadow::is_watching = false;
const sample::Tick* RaceShadow::knows_ = nullptr;
bool RaceShadow::is_freeing_ = false;
std::uint32_t RaceShadow::whole_size_ = 0;
RaceShadow::OnRace RaceShadow::on_race_ = nullptr;
std::vector<RaceShadow::Record> RaceShadow::records_(1);
std::vector<std::uint32_t> RaceShadow::free_records_;
std::vector<RaceShadow::Atomic> RaceShadow::atomics_(1);

namespace {

std::uint32_t bytes_in(std::uint64_t word) { return static_cast<std::uint32_t>(std::popcount(word & 0xFF)); }

}  // namespace

/// Of the running thread, with these bytes in the cell that is looked at.
std::uint32_t RaceShadow::size_of_access(std::uint64_t mask) { return whole_size_ != 0 ? whole_size_ : bytes_in(mask); }

bool RaceShadow::open() {
  static_assert(sizeof(RaceCell) == 16 && sizeof(Rest) == 16);
  const auto reserve = [](std::uintptr_t address, std::size_t size) {
    void* wanted = reinterpret_cast<void*>(address);
    return mmap(wanted, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) == wanted;
  };
  return reserve(kRaceCells, (kRacePlaceBits + 8) * 2) && reserve(kRests, (kRacePlaceBits + 8) * 2) && reserve(kMarks, (kRacePlaceBits + 8) / kMarked);
}

void RaceShadow::clear() {
  madvise(reinterpret_cast<void*>(kRaceCells), (kRacePlaceBits + 8) * 2, MADV_DONTNEED);
  madvise(reinterpret_cast<void*>(kRests), (kRacePlaceBits + 8) * 2, MADV_DONTNEED);
  madvise(reinterpret_cast<void*>(kMarks), (kRacePlaceBits + 8) / kMarked, MADV_DONTNEED);
  records_.resize(1);
  free_records_.clear();
  atomics_.resize(1);
}

void RaceShadow::note(std::uintptr_t address, std::size_t size, bool is_write, std::uintptr_t site) {
  const std::uintptr_t end = address + size;
  whole_size_ = static_cast<std::uint32_t>(size);
  while (address < end) {
    const std::size_t here = std::min<std::size_t>(end - address, 8 - (address & 7));
    RaceCell& cell = *race_cell_of(address);
    const std::uint64_t mask = race_mask_of(address, here);
    if (!has(cell.write, mask) && (is_write || !has(cell.read, mask))) note_cell(cell, address, mask, is_write, site);
    address += here;
  }
  whole_size_ = 0;
}

void RaceShadow::tell(std::uintptr_t address, std::uint64_t mask, bool is_write, bool is_atomic, std::uint64_t other, std::uint32_t other_site, bool other_writes, std::uintptr_t site) {
  const std::uint64_t common = other & mask & 0xFF;
  const auto first = static_cast<unsigned>(std::countr_zero(common));
  on_race_((address & ~std::uintptr_t{7}) + first, static_cast<std::size_t>(std::bit_width(common)) - first,
           {thread_of(self_word()), tick_of(self_word()), static_cast<std::uint32_t>(site), is_write, is_atomic, is_freeing_, size_of_access(mask)},
           {thread_of(other), tick_of(other), other_site, other_writes, false, other_writes && (other & kTouched) != 0, bytes_in(other)});
}

void RaceShadow::look_at_atomics(const Rest& rest, std::uintptr_t address, std::uint64_t mask, bool is_write, std::uintptr_t site) {
  const std::uintptr_t granule = address & ~std::uintptr_t{7};
  const int self = thread_of(self_word());
  for (std::uint32_t a = rest.atomic; a != 0; a = atomics_[a].next) {
    const Atomic& atomic = atomics_[atomics_[a].begin != 0 ? atomics_[a].begin : a];
    const std::uintptr_t from = std::max(granule, atomic.address);
    const std::uint64_t theirs = race_mask_of(from, std::min(granule + 8, atomic.address + atomic.size) - from);
    if ((theirs & mask) == 0) continue;
    for (int t = 0; t < static_cast<int>(atomic.last.size()); ++t) {
      if (t == self) continue;
      const Atomic::Last& last = atomic.last[static_cast<std::size_t>(t)];
      const bool writes = last.write > knows_[t];
      if (!writes && !(is_write && last.read > knows_[t])) continue;
      const auto first = static_cast<unsigned>(std::countr_zero(theirs & mask));
      on_race_(granule + first, static_cast<std::size_t>(std::bit_width(theirs & mask)) - first,
               {self, tick_of(self_word()), static_cast<std::uint32_t>(site), is_write, false, is_freeing_, size_of_access(mask)},
               {t, writes ? last.write : last.read, writes ? last.write_site : last.read_site, writes, true, false, atomic.size});
      break;
    }
  }
}

void RaceShadow::look_at_plain(const RaceCell& cell, const Rest& rest, std::uintptr_t address, std::uint64_t mask, bool is_write, bool is_atomic, std::uintptr_t site) {
  look_at(address, mask, is_write, is_atomic, cell.write, rest.write_site, true, site);
  if (is_write) look_at(address, mask, is_write, is_atomic, cell.read, rest.read_site, false, site);
  for (std::uint32_t i = rest.more; i != 0; i = records_[i].next) {
    const bool writes = (records_[i].word & kWriteBit) != 0;
    if (writes || is_write) look_at(address, mask, is_write, is_atomic, records_[i].word & ~kWriteBit, records_[i].site, writes, site);
  }
}

void RaceShadow::note_cell(RaceCell& cell, std::uintptr_t address, std::uint64_t mask, bool is_write, std::uintptr_t site) {
  Rest& rest = rest_of(address);
  if ((cell.write | cell.read) == 0) {  // there is nothing behind it, either: so it is not read, which would be a page fault of its own
    (is_write ? cell.write : cell.read) = self_word() | mask;
    (is_write ? rest.write_site : rest.read_site) = static_cast<std::uint32_t>(site);
    return;
  }
  look_at_plain(cell, rest, address, mask, is_write, false, site);
  if (rest.atomic != 0) look_at_atomics(rest, address, mask, is_write, site);
  if (is_write) note_write(cell, rest, mask, static_cast<std::uint32_t>(site));
  else note_read(cell, rest, mask, static_cast<std::uint32_t>(site));
  if (rest.more != 0) mark_of(address) = 1;
}

/// Puts an access into the list. One of the same thread and sort that it covers goes.
void RaceShadow::keep(Rest& rest, std::uint64_t word, std::uint32_t site, bool is_write) {
  const std::uint64_t flag = is_write ? kWriteBit : 0;
  for (std::uint32_t i = rest.more; i != 0; i = records_[i].next) {
    Record& record = records_[i];
    if ((record.word & kWriteBit) != flag || thread_of(record.word) != thread_of(word) || (record.word & ~word & 0xFF) != 0) continue;
    record.word = word | flag;
    record.site = site;
    return;
  }
  std::uint32_t added = 0;
  if (!free_records_.empty()) {
    added = free_records_.back();
    free_records_.pop_back();
  } else {
    added = static_cast<std::uint32_t>(records_.size());
    records_.emplace_back();
  }
  records_[added] = {word | flag, site, rest.more};
  rest.more = added;
}

/// Whoever would be in a race with what it covers is in one with it, too.
void RaceShadow::note_write(RaceCell& cell, Rest& rest, std::uint64_t mask, std::uint32_t site) {
  for (std::uint32_t* link = &rest.more; *link != 0;) {
    const std::uint32_t i = *link;
    if ((records_[i].word & ~mask & 0xFF) != 0) {
      link = &records_[i].next;
      continue;
    }
    *link = records_[i].next;
    free_records_.push_back(i);
  }
  if ((cell.read & ~mask & 0xFF) == 0) cell.read = rest.atomic != 0 ? kTouched : 0;
  const std::uint64_t old = cell.write;
  if ((old & ~mask & 0xFF) != 0) {
    if (old >> 8 == self_word() >> 8) mask |= old & 0xFF;
    else keep(rest, old, rest.write_site, true);
  }
  cell.write = self_word() | mask;
  rest.write_site = site;
}

void RaceShadow::note_read(RaceCell& cell, Rest& rest, std::uint64_t mask, std::uint32_t site) {
  const std::uint64_t old = cell.read;
  const bool is_covered = (old & ~mask & 0xFF) == 0;
  if (old != 0 && !(is_covered && !is_unknown(old))) {
    if (old >> 8 == self_word() >> 8) mask |= old & 0xFF;
    else keep(rest, old, rest.read_site, false);
  }
  cell.read = self_word() | mask;
  rest.read_site = site;
}

const RaceShadow::Atomic* RaceShadow::find_atomic(std::uintptr_t address, std::uint32_t size) {
  for (std::uint32_t a = rest_of(address).atomic; a != 0; a = atomics_[a].next)
    if (atomics_[a].address == address && atomics_[a].size == size) return &atomics_[a];
  return nullptr;
}

RaceShadow::Atomic& RaceShadow::atomic_at(std::uintptr_t address, std::uint32_t size) {
  Rest& rest = rest_of(address);
  for (std::uint32_t a = rest.atomic; a != 0; a = atomics_[a].next)
    if (atomics_[a].address == address && atomics_[a].size == size) return atomics_[a];
  Atomic atomic;
  atomic.address = address;
  atomic.size = size;
  const std::uint32_t added = add_atomic(address, atomic);
  for (std::uintptr_t at = (address | 7) + 1; at < address + size; at += 8) {
    Atomic end;
    end.begin = added;
    add_atomic(at, end);
  }
  return atomics_[added];
}

std::uint32_t RaceShadow::add_atomic(std::uintptr_t at, const Atomic& atomic) {
  const auto added = static_cast<std::uint32_t>(atomics_.size());
  if (RaceCell* cell = race_cell_of(at); cell->read == 0) cell->read = kTouched;
  Rest& rest = rest_of(at);
  atomics_.push_back(atomic);
  atomics_.back().next = rest.atomic;
  rest.atomic = added;
  mark_of(at) = 1;
  return added;
}

void RaceShadow::note_atomic(Atomic& atomic, bool is_write, std::uintptr_t site) {
  if (!is_watching) return;
  const int self = thread_of(self_word());
  if (static_cast<std::size_t>(self) >= atomic.last.size()) [[unlikely]] atomic.last.resize(static_cast<std::size_t>(self) + 1);
  Atomic::Last& last = atomic.last[static_cast<std::size_t>(self)];
  const sample::Tick now = tick_of(self_word());
  (is_write ? last.write : last.read) = now;
  (is_write ? last.write_site : last.read_site) = static_cast<std::uint32_t>(site);
  const std::uintptr_t end = atomic.address + atomic.size;
  whole_size_ = atomic.size;
  for (std::uintptr_t at = atomic.address; at < end; at = (at | 7) + 1) {
    const RaceCell& cell = *race_cell_of(at);
    const Rest& rest = rest_of(at);
    if ((cell.write | (cell.read & ~kTouched)) == 0 && rest.more == 0) continue;  // most often nobody accesses it plainly
    look_at_plain(cell, rest, at, race_mask_of(at, std::min<std::size_t>(end - at, 8 - (at & 7))), is_write, true, site);
  }
  whole_size_ = 0;
}

void RaceShadow::forget(std::uintptr_t address, std::size_t size) {
  for (std::uintptr_t at = address & ~std::uintptr_t{7}; at < address + size; at += 8) {
    RaceCell* cell = race_cell_of(at);
    if (cell->write == 0 && cell->read == 0) continue;
    Rest& rest = rest_of(at);
    for (std::uint32_t i = rest.more; i != 0; i = records_[i].next) free_records_.push_back(i);
    for (std::uint32_t a = rest.atomic; a != 0; a = atomics_[a].next) {
      Atomic& atomic = atomics_[atomics_[a].begin != 0 ? atomics_[a].begin : a];
      atomic.execution = 0;
      atomic.last.clear();
    }
    *cell = {0, rest.atomic != 0 ? kTouched : 0};
    rest = {0, 0, rest.atomic, 0};
  }
}

void RaceShadow::note_freed(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
  const std::uintptr_t end = address + size;
  is_freeing_ = true;
  for (; address < end; address = (address | 7) + 1) {
    RaceCell& cell = *race_cell_of(address);
    const std::uint64_t mask = race_mask_of(address, std::min<std::size_t>(end - address, 8 - (address & 7)));
    if (!has(cell.write, mask)) note_cell(cell, address, mask, true, site);
    cell.write |= kTouched;
  }
  is_freeing_ = false;
}

void RaceShadow::look_at_freed(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
  const std::uintptr_t end = address + size;
  is_freeing_ = true;
  for (; address < end; address = (address | 7) + 1) {
    const RaceCell& cell = *race_cell_of(address);
    if ((cell.write | cell.read) == 0) continue;
    const std::uint64_t mask = race_mask_of(address, std::min<std::size_t>(end - address, 8 - (address & 7)));
    const Rest& rest = rest_of(address);
    look_at_plain(cell, rest, address, mask, true, false, site);
    if (rest.atomic != 0) look_at_atomics(rest, address, mask, true, site);
  }
  is_freeing_ = false;
}

void RaceShadow::give_out(std::uintptr_t address, std::size_t size, std::size_t written) {
  if (is_marked(address, size)) [[unlikely]] forget(address, size);
  const std::uintptr_t end = address + size, written_end = address + std::min(size, written);
  RaceCell* cell = race_cell_of(address);
  for (; address + 8 <= written_end; address += 8, ++cell) *cell = {self_word() | 0xFF, cell->read & kTouched};
  if (address < written_end) {
    *cell = {self_word() | race_mask_of(address, written_end - address), cell->read & kTouched};
    address += 8, ++cell;
  }
  for (; address < end; address += 8, ++cell)
    if ((cell->write | cell->read) != 0) *cell = {0, cell->read & kTouched};
}

/// Records and atomic objects of these cells are lost, not used again: a few.
void RaceShadow::forget_pages(std::uintptr_t address, std::size_t size) {
  madvise(race_cell_of(address), size / 8 * sizeof(RaceCell), MADV_DONTNEED);
  madvise(&rest_of(address), size / 8 * sizeof(Rest), MADV_DONTNEED);
}

}  // namespace ordeal::runtime
