// Shadow memory: who accessed what last, to find data races.
//
// For each 8 bytes of the program's memory there is a list of records, the latest of each thread and sort: which bytes,
// thread, whether it wrote, whether it was atomic, and its *clock*: the number of events that the thread had in the graph
// before it. An access a of thread u happens before one of thread t iff t knows of an event of u behind a:
//     hb_t[u] > clock(a)
// Two accesses of different threads to a common byte, at least one of them a write and not both atomic, are a race iff
// the earlier does not happen before the later. No record that could still be in a race is ever thrown away.
//
// Memory is kept between executions; a number in each entry tells to which one it belongs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/vector_clock.h"

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
};

class Shadow {
 public:
  /// Notes the access, made by a thread that knows `hb`. If it races with an earlier one, that goes to `other`.
  /// `met_atomic`, `met_atomic_write`: such an access to some of these bytes was noted before (told to plain accesses only).
  struct Result {
    bool races = false;
    bool met_atomic = false;
    bool met_atomic_write = false;
    ShadowAccess other;
  };
  static void note(const ShadowAccess& access, const base::ClockEntry* hb, Result& result);
  /// Whether all bytes were written in this execution.
  static bool is_written(std::uintptr_t address, std::size_t size);
  /// Whether another thread accessed some of these bytes atomically with another size, and that does not happen before.
  static bool has_unordered_of_other_size(std::uintptr_t address, std::size_t size, int thread, const base::ClockEntry* hb);
  /// Whether another thread wrote some of these bytes, and that does not happen before.
  static bool has_unordered_write(std::uintptr_t address, std::size_t size, int thread, const base::ClockEntry* hb);
  /// Whether `is_one(thread, is_write)` holds for a noted access to some of these bytes.
  template <class IsOne>
  static bool has_access(std::uintptr_t address, std::size_t size, IsOne&& is_one) {
    for (std::uintptr_t at = address; at < address + size; ++at)
      for (std::uint32_t i = first_of(page(at >> 12).granules[(at >> 3) & 511]); i != 0; i = records_[i].next)
        if ((records_[i].mask >> (at & 7) & 1) != 0 && is_one(records_[i].thread, records_[i].is_write)) return true;
    return false;
  }
  /// The next execution begins: everything is forgotten.
  static void reset();
  /// For a milestone (milestone.h): what was noted before it is never changed from then on, only added to.
  struct Image {
    std::uint32_t records = 1;
    std::uint32_t changes = 0;
  };
  static Image keep();
  static void go_back(Image image);

 private:
  struct Record {
    std::uint32_t next;  // 0: none
    std::uint8_t mask;   // of the 8 bytes
    bool is_write;
    std::uint8_t atomic_size;  // of the whole access; 0: it is not atomic
    bool is_free;
    std::int32_t thread;
    base::ClockEntry clock;
    std::uint32_t stack, site;
  };
  struct Granule {
    std::uint32_t execution;
    std::uint32_t first;  // record; those behind it are older
    std::uint8_t sorts;   // of the records (bits, see `sort_of`); maybe of more
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
    Page*& cached = cache_[number % 64];
    if (cached == nullptr || cached->number != number) cached = &find_page(number);
    return *cached;
  }
  /// The records of this execution.
  static std::uint32_t& first_of(Granule& granule) {
    if (granule.execution != execution_) granule = {execution_, 0, 0};
    return granule.first;
  }
  static Page& find_page(std::uintptr_t number);
  static std::uint32_t new_record();
  static void note_change(Granule& granule);
  static void note_granule(Granule& granule, std::uint8_t mask, const ShadowAccess& access, const base::ClockEntry* hb, Result& result);

  static std::uint32_t execution_;
  static bool has_milestone_;
  static std::uint32_t kept_records_;  // those below belong to a milestone
  static Change* changes_;
  static std::uint32_t change_count_, change_capacity_;
  static Record* records_;
  static std::uint32_t record_count_, record_capacity_;
  static Page** table_;
  static std::size_t table_size_, page_count_;
  static Page* cache_[64];
};

}  // namespace ordeal::runtime
