// The table of locations: which addresses the graph knows, and what they held before the first atomic access.
//
// A location is (address, sort). The initialisation of an atomic object is a plain write that happens before all its atomic
// accesses (or there is a race, which is reported); so the memory's contents at the first atomic access of an execution are
// the initial value, and no event is needed for it.
//
// What was on the stack of a function that has returned is gone: the same address is another location from then on, its next
// *generation*. (Compilers need not show the constructor of a local variable to us.)
//
// Memory that is accessed with another size than before goes on as a new generation, too, which begins with the bytes that those who wrote them last left
// there: its *sources* (carried_bytes.h). All accesses of other sizes happen before, or the program is refused; so what came before what, here kept as times,
// does not depend on the interleaving.
#pragma once

#include <cstdint>
#include <vector>

#include "base/vector_clock.h"
#include "model/event.h"
#include "runtime/thread_mask.h"
#include "trace/trace.h"

namespace ordeal::runtime {

/// kAnnotation: what ThreadSanitizer's annotations say about an address (abi_annotations.cpp); its size tells two of them apart.
/// kReader is no location of the graph: `depth` says how often the thread `size` holds the read-write lock for reading.
enum class LocationSort : std::uint8_t { kMemory, kMutex, kCondition, kAnnotation, kSharedMutex, kReader, kSemaphore, kBarrier };
trace::LocationSort sort_in_trace(LocationSort sort);

/// What an execution changes of a location.
struct LocationState {
  bool is_uninitialised = false;  // nobody wrote it before its first atomic access in this execution
  model::Value initial = 0;
  model::Value held = 0;          // what was put into its memory last
  std::uint32_t execution = 0;    // in which it was seen last
  std::uint64_t begun = 0;        // when all its bytes were last those of this location; 0: from the start
  std::uint64_t written = 0;      // when it was written last in this execution; 0: not yet
  std::uint32_t generation = 0;   // of a first generation on a stack: the current one, in execution …
  std::uint32_t generation_execution = 0;
  int holder = -1;                // of a mutex: the thread that holds it; of a read-write lock: the writer
  int depth = 0;                  // of a recursive one; of a read-write lock: its readers; of a barrier: who waits
  bool is_robust = false;         // a mutex that outlives who holds it …
  std::uint8_t left = 0;          // … how it was left when its holder came (sync.h) …
  std::int32_t next_held = -1;    // … and what robust one that has taken before, a location
  std::int32_t waits_with = -1;   // of a condition: the mutex that its last waiter came with, a location
  int written_by = -1;            // the thread that wrote it last, with which of its events, and how (repeated_stores.h)
  base::ClockEntry written_at = 0;
  model::MemoryOrder written_as = model::MemoryOrder::kPlain;
  bool is_repeated = false;       // it has stored the same several times
};

struct NativeLocation : LocationState {
  std::uintptr_t address = 0;
  std::uint32_t size = 0;
  LocationSort sort = LocationSort::kMemory;
  std::uint64_t noted = 0;                // when its state was noted last, to go back to a milestone
  bool has_several_writers = false, was_repeated = false;  // in any execution: repeated_stores.h
  ThreadMask lockers = 0, vain_lockers = 0;                // likewise: vain_locks.h
  std::int32_t first = 0;                 // its first generation
  std::vector<std::int32_t> overlapping;  // of a first generation: memory locations of another size that share bytes with it
};

class Locations {
 public:
  static constexpr model::LocationId kUnknown{-1};

  /// The location, made if it is new. A memory location that is seen for the first time in this execution takes its
  /// initial value from memory.
  model::LocationId at(std::uintptr_t address, std::uint32_t size, LocationSort sort);
  /// Whether some of its bytes were ever accessed atomically with another size, and whether they were in this execution.
  bool has_overlaps(model::LocationId location) const { return !first_of(location).overlapping.empty(); }
  bool is_mixed(model::LocationId location) const;
  /// It is written, now.
  void note_written(NativeLocation& location) { location.written = ++time_; }
  /// A plain write that began at this time has put something into its memory, and that is in the graph.
  std::uint64_t time() { return ++time_; }
  void note_overwritten(model::LocationId location, std::uint64_t time) { (*this)[location].begun = (*this)[location].written = time; }

  /// A location that has written some bytes last: all of these `bytes`, which are bits, from its first byte on.
  struct Source {
    model::LocationId location;
    std::uint16_t bytes;
    bool operator==(const Source&) const = default;
  };
  /// No vector: threads keep them on their stacks while they wait for the engine, and may never come back.
  class Sources {
   public:
    void add(const Source& source) { all_[count_++] = source; }
    const Source* begin() const { return all_; }
    const Source* end() const { return all_ + count_; }
    std::size_t size() const { return count_; }

   private:
    Source all_[16];
    std::size_t count_ = 0;
  };
  /// Of all bytes of the location. Those that are in memory only, from the start or because code that nobody instrumented has put something
  /// else there, have none.
  Sources sources(model::LocationId location) const;
  /// Calls `visit(source)` for the generations of the location that have some of its bytes from `begin` to `end`, likewise.
  template <class Visit>
  void for_each_source_of(model::LocationId location, std::uintptr_t begin, std::uintptr_t end, Visit&& visit) const {
    const std::int32_t id = all_[static_cast<std::size_t>(number(location))].first;
    for (std::uint32_t generation = 0; generation <= generations(all_[static_cast<std::size_t>(id)]); ++generation) {
      const NativeLocation& first = all_[static_cast<std::size_t>(id)];
      const model::LocationId one{generation == 0 ? id : find(key_of(first.address, first.size, first.sort, generation))};
      if ((*this)[one].execution != execution_ || (*this)[one].written == 0) continue;
      const Source source{one, bytes_held(one)};
      if ((source.bytes & bytes_between(first, begin, end)) != 0 && is_intact(source)) visit(source);
    }
  }
  /// Whether accesses of another size have written bytes since it has begun.
  bool must_begin_again(model::LocationId location) const;
  /// Its next generation, which begins with what memory holds; kUnknown: there were too many.
  model::LocationId begin_again(model::LocationId location, const Sources& sources);
  Sources begun_with(model::LocationId location) const;
  /// Whether the thread has looked at the sources, and that it has.
  bool has_looked(model::LocationId location, int thread) const;
  void note_look(model::LocationId location, int thread) { looks_.push_back({number(location), thread}); }
  /// Whether all its bytes are its own.
  bool has_all_bytes(model::LocationId location) const;
  /// Memory gets these bytes of the value.
  void put(const Source& source, model::Value value);
  /// Whether this execution knows the sync object.
  bool knows_sync_object(std::uintptr_t address, LocationSort sort, std::uint32_t word = 0) const {
    const std::int32_t location = find_sync_object(address, sort, word);
    return location >= 0 && all_[static_cast<std::size_t>(location)].execution == execution_;
  }
  /// Whether this memory location was accessed atomically in this execution.
  bool is_known(std::uintptr_t address, std::uint32_t size) const;
  model::Value initial(model::LocationId location) const { return all_[static_cast<std::size_t>(number(location))].initial; }
  const NativeLocation& operator[](model::LocationId location) const { return all_[static_cast<std::size_t>(number(location))]; }
  /// The same, to change it.
  NativeLocation& operator[](model::LocationId location) { return change(number(location)); }
  int count() const { return static_cast<int>(all_.size()); }
  void begin_execution() {
    ++execution_;
    now_ = 0;
    changes_.clear();
    begun_with_.clear();
    looks_.clear();
    for (std::vector<std::int32_t>& known : on_stack_) known.clear();
  }
  /// For a milestone (milestone.h).
  struct Image {
    std::size_t changes = 0, begun_with = 0, looks = 0;
    std::vector<std::vector<std::int32_t>> on_stack;
  };
  void keep(Image& image);
  void go_back(const Image& image);
  /// What the thread's stack had below `bound` is gone.
  void retire_below(int thread, std::uintptr_t bound) {
    if (static_cast<std::size_t>(thread) < on_stack_.size() && !on_stack_[static_cast<std::size_t>(thread)].empty()) retire(thread, bound);
  }

  /// Calls `visit(location)` for sync objects in the range that this execution knows: they are gone.
  template <class Visit>
  void forget_sync_objects(std::uintptr_t address, std::size_t size, Visit&& visit) {
    constexpr std::size_t kAlignment = 4;
    if (size > all_.size()) {  // the range is the longer one to look through
      for (std::size_t i = 0; i < all_.size(); ++i) {
        if (all_[i].sort == LocationSort::kMemory || all_[i].address < address || all_[i].address >= address + size) continue;
        all_[i].execution = 0;
        visit(static_cast<std::int32_t>(i));
      }
      return;
    }
    for (std::uintptr_t at = address; at < address + size; at += kAlignment)
      for (const LocationSort sort : {LocationSort::kMutex, LocationSort::kCondition, LocationSort::kAnnotation, LocationSort::kSharedMutex, LocationSort::kSemaphore, LocationSort::kBarrier})
        for (std::uint32_t word = 0; knows_sync_object(at, sort, word); ++word) {  // of a condition there may be several
          const std::int32_t location = find_sync_object(at, sort, word);
          all_[static_cast<std::size_t>(location)].execution = 0;
          visit(location);
        }
  }

  bool has_on_stack(int thread) const { return static_cast<std::size_t>(thread) < on_stack_.size() && !on_stack_[static_cast<std::size_t>(thread)].empty(); }
  /// Calls `visit(address, size)` for the atomic objects on the thread's stack: what their memory holds says nothing.
  template <class Visit>
  void for_each_on_stack(int thread, Visit&& visit) const {
    if (static_cast<std::size_t>(thread) >= on_stack_.size()) return;
    for (const std::int32_t first : on_stack_[static_cast<std::size_t>(thread)])
      if (const NativeLocation& location = all_[static_cast<std::size_t>(first)]; location.sort == LocationSort::kMemory) visit(location.address, location.size);
  }

  /// Values of 16 bytes are numbered; equal ones have the same number, zero is 0.
  model::Value intern(unsigned __int128 value);
  unsigned __int128 wide(model::Value number) const { return wide_[static_cast<std::size_t>(number)]; }

  /// What the memory of the location holds, and putting a value there.
  model::Value load(std::uintptr_t address, std::uint32_t size);
  void store(std::uintptr_t address, std::uint32_t size, model::Value value) const;
  /// The same for a location, which remembers it.
  void put(model::LocationId location, model::Value value);

 private:
  struct Slot {
    std::uintptr_t key = 0;
    std::int32_t location = -1;
  };
  /// Undone by go_back.
  struct Change {
    std::int32_t location;
    LocationState before;
  };
  NativeLocation& change(std::int32_t location) {
    NativeLocation& changed = all_[static_cast<std::size_t>(location)];
    if (now_ != 0 && changed.noted != now_) note(location);
    return changed;
  }
  void note(std::int32_t location);
  void grow();
  std::int32_t find(std::uintptr_t key) const;
  std::int32_t find_sync_object(std::uintptr_t address, LocationSort sort, std::uint32_t word) const;
  std::int32_t find_or_make(std::uintptr_t address, std::uint32_t size, LocationSort sort, std::uint32_t generation);
  /// Of the current generation.
  std::int32_t current(std::int32_t first) const;
  void note_on_stack(std::int32_t first);
  void retire(int thread, std::uintptr_t bound);
  void note_overlaps(std::int32_t added);
  const NativeLocation& first_of(model::LocationId location) const { return all_[static_cast<std::size_t>(all_[static_cast<std::size_t>(number(location))].first)]; }
  /// Of this execution.
  std::uint32_t generations(const NativeLocation& first) const { return first.generation_execution == execution_ ? first.generation : 0; }
  /// The location that has written the byte last; -1: none. `first` has the byte.
  std::int32_t holder(const NativeLocation& first, std::uintptr_t byte) const;
  /// Nobody but the program's instrumented code has written these bytes of memory.
  bool is_intact(const Source& source) const;
  std::uint16_t bytes_held(model::LocationId location) const;
  static unsigned bytes_between(const NativeLocation& location, std::uintptr_t begin, std::uintptr_t end) {
    unsigned bytes = 0;
    for (std::uint32_t i = 0; i < location.size; ++i)
      if (location.address + i >= begin && location.address + i < end) bytes |= 1U << i;
    return bytes;
  }
  void copy_bytes(std::uint32_t size, model::Value value, unsigned char* to) const;
  static constexpr std::uint32_t kMostGenerations = 31;
  /// Addresses have 47 bits; size, sort (one bit of it below) and generation go above.
  static std::uintptr_t key_of(std::uintptr_t address, std::uint32_t size, LocationSort sort, std::uint32_t generation = 0) {
    const auto number = static_cast<std::uintptr_t>(sort);
    return address | (number >> 2) << 47 | static_cast<std::uintptr_t>(size) << 48 | (number & 3) << 56 |
           static_cast<std::uintptr_t>(generation) << 58 | std::uintptr_t{1} << 63;
  }

  std::vector<NativeLocation> all_;
  std::vector<Slot> table_;
  std::vector<unsigned __int128> wide_{0};
  std::vector<std::vector<std::int32_t>> on_stack_;  // by thread: first generations that this execution knows
  std::vector<Change> changes_;
  struct BegunWith {
    std::int32_t location;
    Source source;
  };
  struct Look {
    std::int32_t location;
    int thread;
  };
  std::vector<BegunWith> begun_with_;  // of generations of this execution
  std::vector<Look> looks_;
  std::uint64_t now_ = 0, latest_ = 0;  // counts milestones and returns to them; 0: there is none
  std::uint32_t execution_ = 0;
  std::uint64_t time_ = 0;
};

}  // namespace ordeal::runtime
