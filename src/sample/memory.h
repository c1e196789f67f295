// The memory model at length: what loads may read in executions of any length, each operation at a cost that does not depend
// on it. Used by random testing; the exhaustive search has the graph (model/execution_graph.h).
//
// Modification order is a total order for each location, chosen as stores come: each goes somewhere behind all that it must
// be behind, as the strategy says. So every position is a *label*, a number that grows along modification order, and what a thread may
// read is what has no smaller label than its *floor*:
//
//   floor(t, x)  the highest label among accesses to x that happen before (a store's own, or that of the store it read)
//
// One thread's accesses to a location have growing labels, so the last that is known tells. Each thread has a list of *marks*
// (tick, store) for each location; what t knows of thread u is a tick, and the last mark up to it is found by bisection.
//
//     T1: x = 1   x = 2   release f            marks of T1 at x: (tick 1, "x = 2")
//     T2: acquire f (knows tick 1 of T1)       floor(T2, x) = label of "x = 2": x = 1 cannot be read
//
// seq_cst (C++20, [atomics.order]p4): S is the order of execution. No access may be coherence-ordered before one that came
// earlier in S, which raises floors, too (clause in the code): behind accesses that are seq_cst themselves (`sc_marks`), or that
// happen before seq_cst fences that have been executed. The executions are those of the standard whose S agrees with the order of
// execution: all but those in which S must contradict reads-from.
//
// An RMW goes right behind what it reads. Nothing may come between; a store that an RMW has built upon is *taken*.
//
// After Luo, Demsky 2021 (C11Tester), which keeps modification order as constraints; why we do not: docs/adr/0018.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/event.h"
#include "sample/rows.h"

namespace ordeal::sample {

using model::MemoryOrder;
using model::Value;

using Label = std::uint64_t;
using StoreId = std::uint32_t;
constexpr StoreId kNoStore = 0;
constexpr Label kGap = Label{1} << 32;  // between labels, for those that come between

struct Store {
  Value value = 0;
  Label label = 0;
  Published published;
  StoreId next = kNoStore;   // in modification order
  std::int32_t thread = -1;  // -1: the initial one
  std::uint32_t number = 0;  // among its thread's operations, for those who record
  bool is_taken = false;     // an RMW reads it
};
static_assert(sizeof(Store) <= 48);

/// Stores by number, in blocks: what is there never moves, and a million of them take a million times their size.
class Stores {
 public:
  Store& operator[](StoreId id) { return blocks_[id / kBlock][id % kBlock]; }
  const Store& operator[](StoreId id) const { return blocks_[id / kBlock][id % kBlock]; }
  StoreId add();
  void free(StoreId id);
  void clear();
  std::uint64_t in_use() const { return in_use_; }
  std::uint64_t bytes() const { return blocks_.size() * kBlock * sizeof(Store); }

 private:
  static constexpr StoreId kBlock = 1024;
  std::vector<std::unique_ptr<Store[]>> blocks_;
  StoreId end_ = kNoStore + 1;
  StoreId first_free_ = kNoStore;  // the rest by `next`
  std::uint64_t in_use_ = 0;
};

/// The stores of one thread that may be read: `count` of its list, from `first` on.
struct Suffix {
  std::int32_t thread;
  std::uint32_t first, count;
};

class Memory {
 public:
  using LocationId = std::uint32_t;

  Memory();
  /// A new execution, with one thread. Its ticks begin behind those of the last one: what was noted with them happens before.
  void begin();
  Tick base() const { return base_; }
  /// The ticks of the next execution begin at 0 again. REQUIRES: nobody remembers ticks, and nothing published is kept.
  void begin_anew();

  // --- threads: numbered from 0, as the program likes --------------------------------------------------------------------
  void create(int parent, int child);
  void finish(int thread);
  void join(int thread, int other);
  int width() const { return width_; }
  Tick tick(int thread) const { return threads_[static_cast<std::size_t>(thread)].knows[static_cast<std::size_t>(thread)]; }
  /// What the thread knows of each.
  const Tick* knows(int thread) const { return threads_[static_cast<std::size_t>(thread)].knows.data(); }
  /// What blocks it: it reads nothing before it has joined `other`, or before it has acquired what `location`, a sync object, holds.
  void note_waiting_for_thread(int thread, int other) { threads_[static_cast<std::size_t>(thread)].waits_for = other; }
  void note_waiting_at(int thread, LocationId location) { threads_[static_cast<std::size_t>(thread)].waits_at = static_cast<std::int32_t>(location); }
  void note_running(int thread) { threads_[static_cast<std::size_t>(thread)].waits_for = threads_[static_cast<std::size_t>(thread)].waits_at = -1; }

  // --- locations ---------------------------------------------------------------------------------------------------------
  /// `keeps_last_only`: a sync object, of which nobody reads an older state.
  LocationId new_location(Value initial, bool keeps_last_only = false);
  const Store& last(LocationId location) const { return stores_[locations_[location].last]; }
  StoreId last_id(LocationId location) const { return locations_[location].last; }
  const Store& store(StoreId id) const { return stores_[id]; }
  /// Of a store that was made before its value was known. REQUIRES: nobody has read it.
  void set_value(StoreId id, Value value) { stores_[id].value = value; }
  std::uint32_t count(LocationId location) const { return locations_[location].count; }
  /// How many of them are not taken. At least one, the last.
  std::uint32_t count_of_free(LocationId location) const { return locations_[location].free; }

  // --- accesses of `thread` ----------------------------------------------------------------------------------------------
  /// How many stores it may read. The last one is always among them.
  std::uint32_t readable(int thread, LocationId location, MemoryOrder order);
  /// One of those that `readable` has just counted. REQUIRES: index < that. They come by thread, and in order of modification.
  StoreId readable_at(LocationId location, std::uint32_t index) const;
  /// Whether a read with this order may read it, too. (A compare-exchange has two orders.)
  bool may_read(int thread, LocationId location, MemoryOrder order, StoreId store) { return stores_[store].label >= floor(thread, location, order == MemoryOrder::kSeqCst); }
  Value read(int thread, LocationId location, StoreId store, MemoryOrder order);
  /// Behind `after`, which `readable` has counted, if nothing forbids that: else last. Returns the store.
  StoreId write(int thread, LocationId location, Value value, MemoryOrder order, StoreId after, std::uint32_t number = 0);
  /// The write of an RMW that has read `source`. REQUIRES: it is not taken.
  StoreId write_behind(int thread, LocationId location, StoreId source, Value value, MemoryOrder order, std::uint32_t number = 0);
  void fence(int thread, MemoryOrder order);
  /// What is no access to memory but synchronises: the thread learns what was published, publishes what it knows.
  void acquire(int thread, const Published& published);
  void release(int thread, Published& into);
  void let_go(Published& published);

  /// Stores that could have been read were dropped, since there were so many.
  bool window_was_used() const { return window_was_used_; }
  static constexpr std::uint32_t kWindow = 1'000'000;
  void set_window(std::uint32_t most) { window_ = most; }
  /// For tests: as often as can be, or never.
  enum class Pruning : std::uint8_t { kSeldom, kAlways, kNever };
  void set_pruning(Pruning pruning) { pruning_ = pruning; }
  static constexpr std::uint32_t kPruneAt = 64;  // stores of a location, before it is looked at
  /// For tests: of the locations to come.
  void set_first_label(Label label) { first_label_ = label; }
  std::uint64_t stores_in_use() const { return stores_.in_use(); }
  /// What stores and lists take, freed ones included.
  std::uint64_t bytes_in_use() const;
  /// Rows that somebody still uses: for tests.
  std::uint64_t rows_in_use() const { return rows_.in_use(); }

 private:
  struct Mark {
    Tick tick;
    StoreId store;
  };
  struct ScMark {
    std::uint64_t time;
    StoreId store;
  };
  /// What one thread has to do with one location.
  struct Accesses {
    std::vector<StoreId> stores;  // its own, in modification order
    std::uint32_t version = 0;    // of the thread, when the floor was computed
    Label floor = 0;
    std::vector<Mark> marks;
  };
  struct Location {
    StoreId first = kNoStore, last = kNoStore;
    std::uint32_t count = 0, free = 0, prune_at = 0;
    std::uint32_t threads = 0;  // of `accesses`, in use
    bool keeps_last_only = false;
    std::vector<Accesses> accesses;  // by thread
    std::vector<ScMark> sc_marks;
  };
  struct Thread {
    std::vector<Tick> knows;
    std::uint32_t version = 1;      // changes when what it knows of others does
    bool is_live = false;
    std::int32_t waits_for = -1, waits_at = -1;
    Row* row = nullptr;             // what it knows, for stores to share; nullptr: to be made
    Row* fence = nullptr;           // of the latest seq_cst fence that it knows
    std::uint64_t fence_time = 0;
    Published release_fence;
    bool has_pending = false;       // learnt by loads that do not acquire, for a fence behind them
    std::vector<Tick> pending;
    Row* pending_fence = nullptr;
    std::uint64_t pending_fence_time = 0;
  };

  Thread& at(int thread) { return threads_[static_cast<std::size_t>(thread)]; }
  Accesses& accesses(int thread, Location& location);
  Label floor(int thread, LocationId location, bool is_sc);
  Label mark_at(const std::vector<Mark>& marks, Tick tick) const;
  Label sc_mark_at(const std::vector<ScMark>& marks, std::uint64_t time) const;
  Label compute_floor(int thread, const Location& location, Label floor);
  void note_position(int thread, Location& location, StoreId store, bool is_sc);
  void note_sc_position(Location& location, StoreId store);
  StoreId insert(int thread, Location& location, StoreId after, Value value, std::uint32_t number);
  void finish_write(int thread, Location& location, StoreId added, MemoryOrder order);
  Label label_behind(Location& location, StoreId after);
  void relabel(Location& location);
  Published publish(int thread, MemoryOrder order, const Published& inherited);
  Published join(const Published& a, const Published& b);
  Row* row_of(int thread);
  void learn(Thread& knower, Row* row, Tick tick, int thread);
  void learn_fence(Thread& knower, Row* fence, std::uint64_t time);
  void note_pending(int thread, const Published& published);
  void widen(int thread);
  void reset(Thread& thread);
  // pruning (memory_pruning.cpp)
  void prune(Location& location);
  Label lowest_floor(const Location& location);
  void use_window(Location& location);
  void drop_until(Location& location, Label bound);
  void drop_first(Location& location);
  void effective_knowledge(int thread, std::vector<Tick>& into, int depth = 0);

  Rows rows_;
  Tick base_ = 0;
  int width_ = 1;
  std::vector<Thread> threads_;
  std::vector<Location> locations_;
  std::uint32_t location_count_ = 0;
  Stores stores_;
  std::vector<Suffix> suffixes_;  // of the last `readable`
  std::uint64_t sc_time_ = 0;
  std::uint64_t last_fence_time_ = 0;
  Row* fences_ = nullptr;         // what all seq_cst fences knew, joined
  std::uint32_t window_ = kWindow;
  bool window_was_used_ = false;
  Pruning pruning_ = Pruning::kSeldom;
  Label first_label_ = kGap;
};

}  // namespace ordeal::sample
