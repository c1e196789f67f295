// Shadow memory for whole programs: who accessed what last, to find data races, at the cost of a compare for most accesses.
//
// Each 8 bytes of the program's memory have a cell: the last plain write and the last plain read as words (thread, tick, bytes)
// with the places in the code; what does not fit there (several readers, parts of the 8 bytes) is in a list behind it. Thread t knows of
// an access (u, tick) iff knows_t[u] >= tick (sample/rows.h). An access that is in the cell already, by the same thread in the same tick,
// need not be looked at again: if somebody came between, he has seen it (FastTrack: Flanagan, Freund 2009). Accesses of one thread in
// one tick to parts of the 8 bytes are one word, with the place of the last: where exactly the one in a race was, is found out when the
// execution is run again (testing.h).
//
// Ticks grow from one execution to the next (sample/memory.h), so nothing need be cleared between them.
//
// Unlike shadow.h, which notes everything for the exhaustive search and can go back, it is for long executions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/fast_path.h"
#include "sample/rows.h"

namespace ordeal::runtime {

/// An access as the shadow remembers it.
struct RaceAccess {
  int thread = -1;
  sample::Tick tick = 0;
  std::uint32_t site = 0;
  bool is_write = false, is_atomic = false;
  bool is_free = false;  // the memory was given back
  std::uint32_t size = 0;  // of an earlier one: its bytes among the 8, and those of other accesses in the same tick: the shadow does not tell them apart
  bool is_allocation = false;  // the memory was given out: a write as far as races go; known when the execution was run again
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
    std::uint32_t begin = 0;          // not 0: this only says that the object which begins in the 8 bytes before, that one, has its end here
    std::uint64_t execution = 0;      // in which the rest holds
    std::uint32_t location = 0;
    std::uint32_t unfinished = 0;     // a volatile store, if it is still the last one: its value is what memory holds
    bool is_uninitialised = false;
    struct Last {
      sample::Tick read = 0, write = 0;
      std::uint32_t read_site = 0, write_site = 0;
    };
    std::vector<Last> last;           // by thread
  };

  /// Reserves the addresses. False: the system does not let us have so many. REQUIRES: once, before anything else.
  static bool open();
  /// Forgets everything.
  static void clear();
  /// The running thread: the words of its accesses begin with this.
  static void set_self(int thread, sample::Tick tick) { ordeal_plain_state.self = word(thread, tick, 0); }
  static void set_knowledge(const sample::Tick* knows) { knows_ = knows; }

  /// Whether a plain access of the running thread is there already: it need not be noted again. REQUIRES: is_watching.
  [[gnu::always_inline]] static bool has(std::uintptr_t address, std::size_t size, bool is_write) { return has_plain(ordeal_plain_state, address, size, is_write); }
  static void note(std::uintptr_t address, std::size_t size, bool is_write, std::uintptr_t site);
  /// The same for one that `has` did not find.
  static void note_new(std::uintptr_t address, std::size_t size, bool is_write, std::uintptr_t site) {
    if (size != 0 && (address & 7) + size <= 8) [[likely]] note_cell(*race_cell_of(address), address, race_mask_of(address, size), is_write, site);
    else note(address, size, is_write, site);
  }
  /// The running thread frees the memory: that is a write, and its own accesses are looked at again.
  static void note_freed(std::uintptr_t address, std::size_t size, std::uintptr_t site);
  /// The same for what is behind that of a large block: races with what was done there are told, but nothing is noted.
  static void look_at_freed(std::uintptr_t address, std::size_t size, std::uintptr_t site);
  /// The record of the atomic object, made if it is new.
  static Atomic& atomic_at(std::uintptr_t address, std::uint32_t size);
  /// nullptr: it is not known.
  static const Atomic* find_atomic(std::uintptr_t address, std::uint32_t size);
  /// An atomic access to it by the running thread.
  static void note_atomic(Atomic& atomic, bool is_write, std::uintptr_t site);
  /// What was noted there is forgotten: the memory is given out anew.
  static void forget(std::uintptr_t address, std::size_t size);
  /// The same, and the running thread has written the first `written` bytes. Where that was is not noted: the heap knows where it gave
  /// memory out, and a block has many cells. REQUIRES: address is a multiple of 8.
  static void give_out(std::uintptr_t address, std::size_t size, std::size_t written);
  static sample::Tick tick() { return tick_of(self_word()); }
  /// The same as `forget` for whole pages of shadow, which go back to the system.
  static void forget_pages(std::uintptr_t address, std::size_t size);
  /// Called for each race: the bytes that both access (from the first to the last), the access of the running thread, and the other one.
  using OnRace = void (*)(std::uintptr_t address, std::size_t size, const RaceAccess& access, RaceAccess other);
  static void set_on_race(OnRace on_race) { on_race_ = on_race; }

 private:
  /// What only those look at that find something new in the cell.
  struct Rest {
    std::uint32_t write_site, read_site;
    std::uint32_t atomic;       // first Atomic; 0: none
    std::uint32_t more;         // first Record; 0: none
  };
  struct Record {
    std::uint64_t word;
    std::uint32_t site;
    std::uint32_t next;
  };
  static constexpr std::uint64_t kWriteBit = std::uint64_t{1} << 62;  // in records
  static constexpr std::uint64_t kTouched = std::uint64_t{1} << 63;   // no access, but there is an atomic object; of a write: it was freed
  static constexpr std::uint64_t word(int thread, sample::Tick tick, std::uint8_t mask) {
    return std::uint64_t{tick} << 20 | static_cast<std::uint64_t>(thread) << 8 | mask;
  }
  static std::uint64_t self_word() { return ordeal_plain_state.self; }
  /// Whether the running thread's access to these bytes, in this tick, is part of it.
  static bool has(std::uint64_t noted, std::uint64_t mask) { return has_access(noted, self_word(), mask); }
  static int thread_of(std::uint64_t word) { return static_cast<int>(word >> 8 & 0xFFF); }
  static sample::Tick tick_of(std::uint64_t word) { return static_cast<sample::Tick>(word >> 20); }

  // Like the cells, in places of their own.
  static constexpr std::uintptr_t kRests = 0x570000000000, kMarks = 0x510000000000;
  /// Of so many bytes of memory: whether some of their cells have a list or atomic objects behind them, or had.
  static constexpr std::size_t kMarked = 256;
  static unsigned char& mark_of(std::uintptr_t address) { return *reinterpret_cast<unsigned char*>(kMarks + (address & kRacePlaceBits) / kMarked); }
  static bool is_marked(std::uintptr_t address, std::size_t size) {
    for (std::uintptr_t at = address / kMarked * kMarked; at < address + size; at += kMarked)
      if (mark_of(at) != 0) return true;
    return false;
  }
  static Rest& rest_of(std::uintptr_t address) { return *reinterpret_cast<Rest*>(kRests + (address & kRacePlaceBits) * (sizeof(Rest) / 8)); }
  static void note_cell(RaceCell& cell, std::uintptr_t address, std::uint64_t mask, bool is_write, std::uintptr_t site);
  static void note_write(RaceCell& cell, Rest& rest, std::uint64_t mask, std::uint32_t site);
  static void note_read(RaceCell& cell, Rest& rest, std::uint64_t mask, std::uint32_t site);
  static void look_at_plain(const RaceCell& cell, const Rest& rest, std::uintptr_t address, std::uint64_t mask, bool is_write, bool is_atomic, std::uintptr_t site);
  static bool is_unknown(std::uint64_t word) { return thread_of(word) != thread_of(self_word()) && tick_of(word) > knows_[thread_of(word)]; }
  static void look_at(std::uintptr_t address, std::uint64_t mask, bool is_write, bool is_atomic, std::uint64_t other, std::uint32_t other_site, bool other_writes, std::uintptr_t site) {
    if ((other & mask & 0xFF) != 0 && is_unknown(other)) [[unlikely]] tell(address, mask, is_write, is_atomic, other, other_site, other_writes, site);
  }
  __attribute__((noinline)) static void tell(std::uintptr_t address, std::uint64_t mask, bool is_write, bool is_atomic, std::uint64_t other, std::uint32_t other_site, bool other_writes, std::uintptr_t site);
  static void look_at_atomics(const Rest& rest, std::uintptr_t address, std::uint64_t mask, bool is_write, std::uintptr_t site);
  static std::uint32_t size_of_access(std::uint64_t mask);
  static std::uint32_t add_atomic(std::uintptr_t at, const Atomic& atomic);
  static void keep(Rest& rest, std::uint64_t word, std::uint32_t site, bool is_write);

  static const sample::Tick* knows_;
  static bool is_freeing_;  // that is what the running thread does
  static std::uint32_t whole_size_;  // of its access, if that is not in one cell; 0: it is
  static OnRace on_race_;
  static std::vector<Record> records_;
  static std::vector<std::uint32_t> free_records_;
  static std::vector<Atomic> atomics_;
};

}  // namespace ordeal::runtime
