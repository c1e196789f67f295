// Shadow memory for whole programs: who accessed what last, to find data races, at the cost of a compare for most accesses.
//
// Each 8 bytes of the program's memory have a cell: the last plain write and the last plain read as words (thread, tick, bytes)
// with the places in the code; what does not fit there (several readers, parts of the 8 bytes) is in a list behind it. Thread t knows of
// an access (u, tick) iff knows_t[u] >= tick (sample/rows.h). An access that is in the cell already, by the same thread in the same tick,
// need not be looked at again: if somebody came between, he has seen it (FastTrack: Flanagan, Freund 2009).
//
// Ticks grow from one execution to the next (sample/memory.h), so nothing need be cleared between them.
//
// Unlike shadow.h, which notes everything for the exhaustive search and can go back, it is for long executions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sample/rows.h"

namespace ordeal::runtime {

/// An access as the shadow remembers it.
struct RaceAccess {
  int thread = -1;
  sample::Tick tick = 0;
  std::uint32_t site = 0;
  bool is_write = false, is_atomic = false;
};

class RaceShadow {
 public:
  /// False while there is but one thread: what it does happens before all that comes.
  static bool is_watching;
  /// An atomic object: a location of sample/memory.h, and who accessed it.
  struct Atomic {
    std::uintptr_t address = 0;
    std::uint32_t size = 0;
    std::uint32_t next = 0;           // in the same 8 bytes; 0: none
    std::uint64_t execution = 0;      // in which the rest holds
    std::uint32_t location = 0;
    bool is_uninitialised = false;
    struct Last {
      sample::Tick read = 0, write = 0;
      std::uint32_t read_site = 0, write_site = 0;
    };
    std::vector<Last> last;           // by thread
  };

  /// The running thread: the words of its accesses begin with this.
  static void set_self(int thread, sample::Tick tick) { self_ = word(thread, tick, 0); }
  static void set_knowledge(const sample::Tick* knows) { knows_ = knows; }

  static void read(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
    if (!is_watching) return;
    if (((address & 7) + size) <= 8 && size <= 8) [[likely]] {
      const RaceCell* cell = cell_of(address);
      const std::uint64_t mine = self_ | mask_of(address, size);
      if (cell->read == mine || cell->write == mine) return;
    }
    note_range(address, size, false, site);
  }
  static void write(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
    if (!is_watching) return;
    if (((address & 7) + size) <= 8 && size <= 8) [[likely]]
      if (cell_of(address)->write == (self_ | mask_of(address, size))) return;
    note_range(address, size, true, site);
  }
  /// The record of the atomic object, made if it is new.
  static Atomic& atomic_at(std::uintptr_t address, std::uint32_t size);
  /// An atomic access to it by the running thread.
  static void note_atomic(Atomic& atomic, bool is_write, std::uintptr_t site);
  /// What was noted there is forgotten: the memory is given out anew.
  static void forget(std::uintptr_t address, std::size_t size);
  /// Called for each race: `address`, `size` of the access by the running thread, and the other one.
  using OnRace = void (*)(std::uintptr_t address, std::size_t size, const RaceAccess& access, const RaceAccess& other);
  static void set_on_race(OnRace on_race) { on_race_ = on_race; }

 private:
  struct RaceCell {
    std::uint64_t write, read;  // 0: none
    std::uint32_t write_site, read_site;
    std::uint32_t atomic;       // first Atomic; 0: none
    std::uint32_t more;         // first Record; 0: none
  };
  static_assert(sizeof(RaceCell) == 32);
  struct Record {
    std::uint64_t word;
    std::uint32_t site;
    std::uint32_t next;
  };
  static constexpr std::uint64_t kWriteBit = std::uint64_t{1} << 62;  // in records
  static constexpr std::uint64_t word(int thread, sample::Tick tick, std::uint8_t mask) {
    return std::uint64_t{tick} << 20 | static_cast<std::uint64_t>(thread) << 8 | mask;
  }
  static constexpr std::uint64_t mask_of(std::uintptr_t address, std::size_t size) { return ((std::uint64_t{1} << size) - 1) << (address & 7); }
  static int thread_of(std::uint64_t word) { return static_cast<int>(word >> 8 & 0xFFF); }
  static sample::Tick tick_of(std::uint64_t word) { return static_cast<sample::Tick>(word >> 20); }

  static RaceCell* cell_of(std::uintptr_t address) {
    RaceCell* region = regions_[address >> kRegionBits & (kRegions - 1)];
    if (region == nullptr) [[unlikely]] region = map_region(address);
    return region + ((address & ((std::uintptr_t{1} << kRegionBits) - 1)) >> 3);
  }
  static RaceCell* map_region(std::uintptr_t address);
  static void note_range(std::uintptr_t address, std::size_t size, bool is_write, std::uintptr_t site);
  static void note(RaceCell& cell, std::uintptr_t address, std::uint64_t mask, bool is_write, std::uintptr_t site);
  static void note_write(RaceCell& cell, std::uint64_t mask, std::uint32_t site);
  static void note_read(RaceCell& cell, std::uint64_t mask, std::uint32_t site);
  static bool is_unknown(std::uint64_t word) { return thread_of(word) != thread_of(self_) && tick_of(word) > knows_[thread_of(word)]; }
  static void look_at(std::uintptr_t address, std::uint64_t mask, bool is_write, bool is_atomic, std::uint64_t other, std::uint32_t other_site, bool other_writes, std::uintptr_t site);
  static void look_at_atomics(const RaceCell& cell, std::uintptr_t address, std::uint64_t mask, bool is_write, std::uintptr_t site);
  static void keep(RaceCell& cell, std::uint64_t word, std::uint32_t site, bool is_write);

  static constexpr int kRegionBits = 32;
  static constexpr std::size_t kRegions = std::size_t{1} << 15;
  static RaceCell* regions_[kRegions];
  static std::uint64_t self_;
  static const sample::Tick* knows_;
  static OnRace on_race_;
  static std::vector<Record> records_;
  static std::vector<std::uint32_t> free_records_;
  static std::vector<Atomic> atomics_;
};

}  // namespace ordeal::runtime
