// Shadow memory: who accessed what last, to find data races.
//
// For each 8 bytes of the program's memory there is a list of records, the latest of each thread and sort: which bytes,
// thread, whether it wrote, whether it was atomic, and its *clock*: the number of events that the thread had in the graph
// before it. An access a of thread u happens before one of thread t iff t knows of an event of u behind a:
//     hb_t[u] > clock(a)
// Two accesses of different threads to a common byte, at least one of them a write and not both atomic, are a race iff
// the earlier does not happen before the later. No record that could still be in a race is ever thrown away.
//
// Memory is kept between executions; a number in each entry tells to which one it belongs. What vain_turns.h asks for holds for all
// executions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/vector_clock.h"
#include "runtime/thread_mask.h"

namespace ordeal::runtime {

struct ShadowAccess {
  std::uintptr_t address = 0;
  std::size_t size = 0;
  bool is_write = false;
  bool is_atomic = false;
  int thread = 0;
  base::ClockEntry clock = 0;     // of the access
  std::uint32_t stack = 0;        // stacks.h, while recording
  std::uint32_t site = 0;
  bool is_free = false;           // the memory was given back: a write as far as races go
  bool is_allocation = false;     // likewise; no record says so, but the heap (access.cpp)
  ThreadMask unaware_of = 0;      // thread.h
  std::uint32_t effects = 0;                      // that its thread has made before (thread.h), if it is unaware of any
  const std::uint32_t* known_effects = nullptr;   // by thread, of those: how many of their effects happen before it
  std::uint64_t holds = 0;        // the mutexes that the thread holds (thread.h)
};

class Shadow {
 public:
  /// Notes the access, made by a thread that knows `hb`. If it races with an earlier one, that is the `rival` until the next race.
  /// `met_atomic`, `met_atomic_write`: such an access to some of these bytes was noted before (told to plain accesses only).
  struct Result {
    bool races = false;
    bool met_atomic = false;
    bool met_atomic_write = false;
    bool met_vain_turn = false;  // of a thread that it is unaware of, for the first time
  };
  static void note(const ShadowAccess& access, const base::ClockEntry* hb, Result& result);
  static const ShadowAccess& rival() { return rival_; }
  /// Whether an atomic access near these bytes may have been noted.
  static bool may_have_atomic(std::uintptr_t address, std::size_t size) {
    for (std::uintptr_t at = address & ~std::uintptr_t{7}; at < address + size; at += 8)
      if (const Granule& granule = granule_of(at); granule.execution == execution_ && (granule.sorts & (kAtomicRead | kAtomicWrite)) != 0) return true;
    return false;
  }
  /// Whether all bytes were written in this execution.
  static bool is_written(std::uintptr_t address, std::size_t size);
  /// An atomic access of another thread and another size to some of these bytes, that does not happen before; of size 0: there was none.
  static ShadowAccess find_unordered_of_other_size(std::uintptr_t address, std::size_t size, int thread, const base::ClockEntry* hb);
  /// Whether `is_one(thread, is_write)` holds for a noted access to some of these bytes.
  template <class IsOne>
  static bool has_access(std::uintptr_t address, std::size_t size, IsOne&& is_one) {
    for (std::uintptr_t at = address; at < address + size; ++at)
      for (std::uint32_t i = first_of(granule_of(at)); i != 0; i = records_[i].next)
        if ((records_[i].mask >> (at & 7) & 1) != 0 && is_one(records_[i].thread, records_[i].is_write)) return true;
    return false;
  }
  /// Whether the access would race with an earlier one. It is not noted.
  static bool would_race(const ShadowAccess& access, const base::ClockEntry* hb);
  /// An access as vain_turns.h remembers it, to some of the 8 bytes of a granule.
  struct Trait {
    std::uint64_t holds;
    std::uint8_t mask;
    bool is_write, is_atomic;
    /// Whether it would be a race with the other, if nothing orders them. Who holds the same mutexes takes turns.
    bool conflicts_with(const Trait& other) const {
      return (mask & other.mask) != 0 && (is_write || other.is_write) && !(is_atomic && other.is_atomic) && (holds == 0 || holds != other.holds);
    }
    bool operator==(const Trait&) const = default;
  };
  struct Granule {
    std::uint32_t execution;
    std::uint32_t first;    // record; those behind it are older
    std::uint32_t unaware;  // first of a list, in all executions
    std::uint8_t is_vain;   // a thread accessed it in a turn in vain
    std::uint8_t sorts;     // of the records (bits); maybe of more
  };
  /// Calls `visit(granule, trait, clock)` for the accesses that the thread made when it had more than `events` events; what others do to
  /// these granules, unaware of a thread, is told by `met_vain_turn` from now on.
  template <class Visit>
  static void for_each_since(int thread, base::ClockEntry events, Visit&& visit) {
    for (std::uint32_t i = 1; i < record_count_; ++i) {
      const Record& record = records_[i];
      const base::ClockEntry before = record.clock + (record.atomic_size != 0 ? 1 : 0);  // of its own event, too
      if (record.thread != thread || before <= events) continue;
      record.granule->is_vain = true;
      visit(record.granule, Trait{record.holds, record.mask, record.is_write, record.atomic_size != 0}, record.clock);
    }
  }
  /// Whether the thread itself has made such a plain access, or one that is in all races that this would be in, when it had at least `events` events.
  static bool was_made(int thread, std::uintptr_t address, std::size_t size, bool is_write, base::ClockEntry events);
  /// An access in a turn in vain: how many effects its thread had made before it, and how many of each thread it comes from.
  struct Cause {
    int thread = 0;
    std::uint32_t effects = 0;
    std::vector<std::uint32_t> from;
    std::uint32_t from_thread(int t) const { return static_cast<std::size_t>(t) < from.size() ? from[static_cast<std::size_t>(t)] : 0; }
    bool operator==(const Cause&) const = default;
  };
  /// Whether somebody was ever unaware of its thread when he made an access there that conflicts with this one, and neither must come before the other.
  static bool has_unaware(const Granule* granule, const Trait& trait, const Cause& cause);
  /// The next execution begins: all but that is forgotten.
  static void reset();
  /// For a milestone (milestone.h): what was noted before it is never changed from then on, only added to.
  struct Image {
    std::uint32_t records = 1;
    std::uint32_t changes = 0;
  };
  static Image keep();
  static void go_back(Image image);

 private:
  static constexpr std::uint8_t kRead = 1, kWrite = 2, kAtomicRead = 4, kAtomicWrite = 8;  // sorts
  struct Record {
    Granule* granule;
    std::uint64_t holds;
    std::uint32_t next;  // 0: none
    std::uint8_t mask;   // of the 8 bytes
    bool is_write;
    std::uint8_t atomic_size;  // of the whole access; 0: it is not atomic
    bool is_free;
    std::int32_t thread;
    base::ClockEntry clock;
    std::uint32_t stack, site;
    bool conflicts_with(const ShadowAccess& access) const {
      return thread != access.thread && (is_write || access.is_write) && !(atomic_size != 0 && access.is_atomic);
    }
  };
  struct Unaware {
    Trait trait;
    int by, of;              // threads; the latter a bit of a mask
    std::uint32_t effects;   // that `by` had made before
    std::uint32_t known;     // of the effects of `of`, so many happen before it
    std::uint32_t next;      // 0: none
    /// Whether it is in all races that the other may be in.
    bool covers(const Unaware& other) const { return trait == other.trait && by == other.by && of == other.of && effects >= other.effects && known <= other.known; }
  };
  /// Undone by go_back.
  struct Change {
    Granule* granule;
    std::uint32_t first;  // before
  };
  struct Page {
    std::uintptr_t number;
    Granule granules[512];
  };
  static Page& page(std::uintptr_t number) {
    // Heaps of threads lie 2^20 pages apart, stacks 2^12.
    Page*& cached = cache_[(number ^ number >> 12 ^ number >> 20) % 64];
    if (cached == nullptr || cached->number != number) cached = &find_page(number);
    return *cached;
  }
  /// The records of this execution.
  static std::uint32_t& first_of(Granule& granule) {
    if (granule.execution != execution_) {
      granule.execution = execution_;
      granule.first = 0;
      granule.sorts = 0;
    }
    return granule.first;
  }
  static Granule& granule_of(std::uintptr_t address) { return page(address >> 12).granules[(address >> 3) & 511]; }
  static Page& find_page(std::uintptr_t number);
  static std::uint32_t new_record();
  static void note_change(Granule& granule);
  static bool is_covered(Granule& granule, const Unaware& made);
  static void note_unaware(Granule& granule, std::uint8_t mask, const ShadowAccess& access, Result& result);
  static void note_race(const Record& record, std::uint8_t mask, const ShadowAccess& access, Result& result);
  static void note_granule(Granule& granule, std::uint8_t mask, const ShadowAccess& access, const base::ClockEntry* hb, Result& result);

  static ShadowAccess rival_;
  static std::uint32_t execution_;
  static bool has_milestone_;
  static std::uint32_t kept_records_;  // those below belong to a milestone
  static Change* changes_;
  static std::uint32_t change_count_, change_capacity_;
  static Record* records_;
  static std::uint32_t record_count_, record_capacity_;
  static Unaware* unaware_;
  static std::uint32_t unaware_count_, unaware_capacity_;
  static Page** table_;
  static std::size_t table_size_, page_count_;
  static Page* cache_[64];
};

}  // namespace ordeal::runtime
