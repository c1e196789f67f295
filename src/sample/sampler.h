// One execution of random testing: who can go on, and what operations do. A strategy decides; memory.h says what is allowed.
//
// A thread that has come to an operation asks `goes_on`: if another one is to go first, that one runs until it asks in turn. A thread
// whose operation must wait (a lock that is held) is out of the list of those that are ready until what it waits for changes.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/operation.h"
#include "sample/memory.h"
#include "sample/strategy.h"

namespace ordeal::sample {

class Sampler {
 public:
  static constexpr int kNobody = -1;

  void begin(Strategy& strategy, std::uint64_t seed, std::uint64_t execution);
  Memory& memory() { return memory_; }
  Strategy& strategy() { return *strategy_; }

  // --- who runs ------------------------------------------------------------------------------------------------------------
  /// The running thread is about to do this: whether it is to go on at once. If not, `chosen` is.
  bool goes_on(int thread, StepKind kind) {
    if (ready_.size() == 1 && ready_[0] == thread) return true;
    return choose_thread(thread, kind) == thread;
  }
  /// The same without the strategy: all that are ready go on, one after the other.
  bool takes_turn(int thread) {
    const std::size_t next = static_cast<std::size_t>(place_of(thread)) + 1;
    return (chosen_ = ready_[next < ready_.size() ? next : 0]) == thread;
  }
  int chosen() const { return chosen_; }
  /// Chooses who runs when the running thread cannot; kNobody: none can.
  int choose_other(int thread) { return ready_.empty() ? chosen_ = kNobody : choose_thread(thread, StepKind::kSync); }
  bool is_ready(int thread) const { return place_of(thread) >= 0; }
  std::span<const int> ready() const { return ready_; }

  void created(int parent, int child);
  void ended(int thread);
  /// It waits for the location to change, or for the end of another thread.
  void block_at(int thread, Memory::LocationId location);
  /// Likewise, and it goes on only once it has acquired what the location, a sync object that only RMWs change, then holds: meanwhile
  /// stores that it could read now need not be kept. Not for waits that end by time, or without an acquire.
  void block_at_lock(int thread, Memory::LocationId location);
  void block_until_end(int thread, int other);
  void wake(int thread);
  /// It will never run again, whatever happens: this process is a fork of another one, which has it.
  void leave_behind(int thread);
  bool is_left_behind(int thread) const { return place_of(thread) == kLeftBehind; }
  void changed(Memory::LocationId location) {
    if (location < waited_for_.size() && waited_for_[location] != 0) wake_waiting(location);
  }

  // --- what operations do ----------------------------------------------------------------------------------------------------
  StoreId load(int thread, Memory::LocationId location, MemoryOrder order) {
    const std::uint32_t count = memory_.readable(thread, location, order);
    const StoreId from = count == 1 ? memory_.last_id(location) : choose_store(thread, location, count);
    memory_.read(thread, location, from, order);
    return from;
  }
  StoreId load_newest(int thread, Memory::LocationId location, MemoryOrder order) {
    memory_.readable(thread, location, order);
    memory_.read(thread, location, memory_.last_id(location), order);
    return memory_.last_id(location);
  }
  void store(int thread, Memory::LocationId location, Value value, MemoryOrder order, std::uint32_t number = 0);
  /// Last in modification order.
  void store_newest(int thread, Memory::LocationId location, Value value, MemoryOrder order, std::uint32_t number = 0) {
    memory_.readable(thread, location, order);
    memory_.write(thread, location, value, order, kNoStore, number);
    changed(location);
  }
  struct Rmw {
    StoreId source;
    bool succeeded;
  };
  /// access: order, failure_order, function, operand, expected, bits, is_weak.
  Rmw rmw(int thread, Memory::LocationId location, const model::Access& access, std::uint32_t number = 0);
  /// A load that waits; kNoStore: it must wait on.
  StoreId await(int thread, Memory::LocationId location, const model::Access& access);
  std::uint32_t answer(Question question, std::uint32_t alternatives) { return strategy_->answer(question, alternatives); }

 private:
  int choose_thread(int thread, StepKind kind);
  int place_of(int thread) const { return static_cast<std::size_t>(thread) < places_.size() ? places_[static_cast<std::size_t>(thread)] : -1; }
  void add_ready(int thread);
  void remove_ready(int thread);
  void wake_waiting(Memory::LocationId location);
  StoreId readable_at(Memory::LocationId location, std::uint32_t count, std::uint32_t index) const;
  StoreId choose_store(int thread, Memory::LocationId location, std::uint32_t count);
  bool fails_spuriously(int thread, Memory::LocationId location, const model::Access& access);
  StoreId source_of(int thread, Memory::LocationId location, const model::Access& access);
  bool may_build_upon(int thread, Memory::LocationId location, const model::Access& access, StoreId store);

  Memory memory_;
  Strategy* strategy_ = nullptr;
  std::vector<int> ready_;
  static constexpr int kLeftBehind = -2;
  std::vector<int> places_;  // thread → its place in ready_, or -1, or kLeftBehind
  int chosen_ = kNobody;
  struct Blocked {
    int thread;
    std::int64_t location;  // -1: none
    int other;              // a thread; -1: none
  };
  std::vector<Blocked> blocked_;
  std::vector<char> waited_for_;  // by location
};

}  // namespace ordeal::sample
