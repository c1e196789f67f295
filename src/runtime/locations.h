// The table of locations: which addresses the graph knows, and what they held before the first atomic access.
//
// A location is (address, sort). The initialisation of an atomic object is a plain write that happens before all its atomic
// accesses (or there is a race, which is reported); so the memory's contents at the first atomic access of an execution are
// the initial value, and no event is needed for it.
//
// What was on the stack of a function that has returned is gone: the same address is another location from then on, its next
// *generation*. (Compilers need not show the constructor of a local variable to us.)
#pragma once

#include <cstdint>
#include <vector>

#include "base/vector_clock.h"
#include "model/event.h"

namespace ordeal::runtime {

/// kAnnotation: what ThreadSanitizer's annotations say about an address (abi_annotations.cpp); its size tells two of them apart.
/// kReader is no location of the graph: `depth` says how often the thread `size` holds the read-write lock for reading.
enum class LocationSort : std::uint8_t { kMemory, kMutex, kCondition, kAnnotation, kSharedMutex, kReader, kSemaphore, kBarrier };

/// What an execution changes of a location.
struct LocationState {
  bool is_uninitialised = false;  // nobody wrote it before its first atomic access in this execution
  model::Value initial = 0;
  model::Value held = 0;          // what was put into its memory last
  std::uint32_t execution = 0;    // in which it was seen last
  std::uint64_t touched = 0;      // when it was accessed atomically last in this execution; 0: not yet
  std::uint64_t refreshed = 0;    // when a plain write put something there last
  std::uint32_t generation = 0;   // of a first generation on a stack: the current one, in execution …
  std::uint32_t generation_execution = 0;
  int holder = -1;                // of a mutex: the thread that holds it; of a read-write lock: the writer
  int depth = 0;                  // of a recursive one; of a read-write lock: its readers; of a barrier: who waits
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
  std::vector<std::int32_t> overlapping;  // memory locations of another size that share bytes with it
};

class Locations {
 public:
  static constexpr model::LocationId kUnknown{-1};

  /// The location, made if it is new. A memory location that is seen for the first time in this execution takes its
  /// initial value from memory.
  model::LocationId at(std::uintptr_t address, std::uint32_t size, LocationSort sort);
  /// Whether bytes of it were accessed atomically with another size in this execution.
  bool is_mixed(model::LocationId location) const;
  /// An atomic access. False: the bytes were accessed atomically with another size and not written plainly since. Memory that
  /// is used again for something else is fine: stacks, pools.
  bool touch(model::LocationId location);
  /// A plain write that touches it is in the graph.
  void refresh(model::LocationId location) { (*this)[location].refreshed = ++time_; }
  /// Whether its bytes have become those of locations of another size.
  bool is_stale(model::LocationId location) const;
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
    for (std::vector<std::int32_t>& known : on_stack_) known.clear();
  }
  /// For a milestone (milestone.h).
  struct Image {
    std::size_t changes = 0;
    std::vector<std::vector<std::int32_t>> on_stack;
  };
  void keep(Image& image);
  void go_back(const Image& image);
  /// What the thread's stack had below `bound` is gone.
  void retire_below(int thread, std::uintptr_t bound) {
    if (static_cast<std::size_t>(thread) < on_stack_.size() && !on_stack_[static_cast<std::size_t>(thread)].empty()) retire(thread, bound);
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
  std::int32_t find_or_make(std::uintptr_t address, std::uint32_t size, LocationSort sort, std::uint32_t generation);
  /// Of the current generation.
  std::int32_t current(std::int32_t first) const;
  void note_on_stack(std::int32_t first);
  void retire(int thread, std::uintptr_t bound);
  void note_overlaps(std::int32_t added);

  std::vector<NativeLocation> all_;
  std::vector<Slot> table_;
  std::vector<unsigned __int128> wide_{0};
  std::vector<std::vector<std::int32_t>> on_stack_;  // by thread: first generations that this execution knows
  std::vector<Change> changes_;
  std::uint64_t now_ = 0, latest_ = 0;  // counts milestones and returns to them; 0: there is none
  std::uint32_t execution_ = 0;
  std::uint64_t time_ = 0;
};

}  // namespace ordeal::runtime
