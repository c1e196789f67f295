// sample::Memory against NaiveMemory, in random executions: at every step, for the thread that made it (at the end for all), each
// location and order, the stores that may be read are the same ones. With pruning after each store, seldom, and never.
#include <gtest/gtest.h>

#include <set>

#include "base/rng.h"
#include "sample/memory.h"
#include "tests/support/scale.h"
#include "tests/unit/sample/naive_memory.h"

namespace ordeal::sample::testing {
namespace {

using enum MemoryOrder;

constexpr int kLocations = 2, kLock = 2, kMostThreads = 5;

/// What executions consist of, in percent.
struct Mix {
  const char* name;
  int fences, rmws, seq_cst, threads, locks;
};

class Pair {
 public:
  Pair(std::uint64_t seed, std::uint64_t stream, const Mix& mix, Memory::Pruning pruning, Memory& memory) : rng_(seed, stream), mix_(mix), memory_(memory), naive_(kLocations + 1) {
    memory_.begin();
    memory_.set_pruning(pruning);
    for (int l = 0; l < kLocations; ++l) memory_.new_location(0);
    memory_.new_location(0, true);
    state_[0] = State::kRuns;
    for (int t = 1; t < 3; ++t) create(0, t);
  }

  void step() {
    const int thread = any([](State state) { return state == State::kRuns; });
    if (thread < 0) return let_go_on();
    last_ = thread;
    if (rng_.chance(mix_.threads)) return change_threads(thread);
    if (rng_.chance(mix_.locks)) return lock(thread);
    if (rng_.chance(mix_.fences)) {
      const MemoryOrder order = rng_.chance(mix_.seq_cst) ? kSeqCst : std::vector{kAcquire, kRelease, kAcqRel}[static_cast<std::size_t>(rng_.below(3))];
      memory_.fence(thread, order);
      naive_.fence(thread, order);
      log_ += " " + std::to_string(thread) + ":F" + std::to_string(static_cast<int>(order));
      return;
    }
    access(thread);
  }

  void compare_all() {
    for (int t = 0; t < kMostThreads; ++t) compare(t);
  }
  void compare_last() { compare(last_); }
  void compare(int t) {
    for (int l = 0; l < kLocations; ++l)
      for (const MemoryOrder order : {kRelaxed, kSeqCst}) {
        if (state_[t] != State::kRuns) continue;
        ASSERT_EQ(readable(t, l, order), allowed(t, l, order)) << "thread " << t << ", location " << l << ", order " << static_cast<int>(order) << ":" << log_;
      }
  }

 private:
  enum class State { kNone, kRuns, kJoins, kLocks, kEnded };

  std::set<int> readable(int thread, int location, MemoryOrder order) {
    std::set<int> found;
    const auto l = static_cast<Memory::LocationId>(location);
    const std::uint32_t count = memory_.readable(thread, l, order);
    for (std::uint32_t i = 0; i < count; ++i) {
      const StoreId id = memory_.readable_at(l, i);
      found.insert(memory_.store(id).thread < 0 ? location : static_cast<int>(memory_.store(id).number));
    }
    EXPECT_EQ(found.size(), count);
    return found;
  }
  std::set<int> allowed(int thread, int location, MemoryOrder order) {
    std::set<int> found;
    for (const int write : naive_.modification_order(location))
      if (naive_.allows(thread, location, write, order)) found.insert(write);
    return found;
  }
  template <class Test>
  int any(Test&& test) {
    std::vector<int> found;
    for (int t = 0; t < kMostThreads; ++t)
      if (test(state_[t])) found.push_back(t);
    return found.empty() ? -1 : found[static_cast<std::size_t>(rng_.below(static_cast<int>(found.size())))];
  }
  StoreId id_of(Memory::LocationId location, std::uint32_t count, int write) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const StoreId id = memory_.readable_at(location, i);
      if (memory_.store(id).thread < 0 ? write == static_cast<int>(location) : memory_.store(id).number == static_cast<std::uint32_t>(write)) return id;
    }
    return kNoStore;
  }

  void access(int thread) {
    const int l = rng_.below(kLocations);
    const auto location = static_cast<Memory::LocationId>(l);
    const bool is_rmw = rng_.chance(mix_.rmws), is_store = !is_rmw && rng_.chance(50);
    MemoryOrder order = kSeqCst;
    if (!rng_.chance(mix_.seq_cst)) order = rng_.chance(35) ? kRelaxed : is_rmw ? std::vector{kAcquire, kRelease, kAcqRel}[static_cast<std::size_t>(rng_.below(3))] : is_store ? kRelease : kAcquire;
    const std::set<int> sources = allowed(thread, l, order);
    std::vector<int> usable;
    for (const int write : sources)
      if ((!is_rmw && !is_store) || !naive_.is_taken(write)) usable.push_back(write);
    ASSERT_FALSE(usable.empty());
    const int source = rng_.chance(50) ? usable.back() : usable[static_cast<std::size_t>(rng_.below(static_cast<int>(usable.size())))];
    const StoreId id = id_of(location, memory_.readable(thread, location, order), source);
    ASSERT_NE(id, kNoStore) << log_;
    log_ += " " + std::to_string(thread) + (is_rmw ? ":U" : is_store ? ":W" : ":R") + std::to_string(static_cast<int>(order)) + "(" + std::to_string(l) + "," + std::to_string(source) + ")";
    if (is_store) {
      const int number = naive_.write(thread, l, source, order);
      memory_.write(thread, location, number, order, id, static_cast<std::uint32_t>(number));
    } else {
      memory_.read(thread, location, id, order);
      if (is_rmw) {
        const int number = naive_.rmw(thread, l, source, order);
        memory_.write_behind(thread, location, id, number, order, static_cast<std::uint32_t>(number));
      } else {
        naive_.read(thread, l, source, order);
      }
    }
  }

  // A lock is a sync object: each RMW builds upon the last one, acquires and releases.
  void lock(int thread) {
    if (rng_.chance(50)) {  // somebody else comes first
      state_[thread] = State::kLocks;
      memory_.note_waiting_at(thread, kLock);
      log_ += " " + std::to_string(thread) + ":waits";
      return;
    }
    const StoreId last = memory_.last_id(kLock);
    const int source = naive_.modification_order(kLock).back();
    const int number = naive_.rmw(thread, kLock, source, kAcqRel);
    memory_.read(thread, kLock, last, kAcqRel);
    memory_.write_behind(thread, kLock, last, number, kAcqRel, static_cast<std::uint32_t>(number));
    log_ += " " + std::to_string(thread) + ":L";
    for (int t = 0; t < kMostThreads; ++t)
      if (state_[t] == State::kLocks && rng_.chance(50)) take(t);
  }
  void take(int thread) {
    memory_.note_running(thread);
    state_[thread] = State::kRuns;
    const StoreId last = memory_.last_id(kLock);
    const int number = naive_.rmw(thread, kLock, naive_.modification_order(kLock).back(), kAcqRel);
    memory_.read(thread, kLock, last, kAcqRel);
    memory_.write_behind(thread, kLock, last, number, kAcqRel, static_cast<std::uint32_t>(number));
    log_ += " " + std::to_string(thread) + ":takes";
  }

  void create(int parent, int child) {
    memory_.create(parent, child);
    naive_.create(parent, child);
    state_[child] = State::kRuns;
    joined_by_[child] = -1;
    log_ += " " + std::to_string(parent) + ":creates" + std::to_string(child);
  }
  void join(int thread, int other) {
    memory_.note_running(thread);
    memory_.join(thread, other);
    naive_.join(thread, other);
    state_[thread] = State::kRuns;
    state_[other] = State::kNone;
    joined_by_[other] = thread;
    log_ += " " + std::to_string(thread) + ":joins" + std::to_string(other);
  }
  void change_threads(int thread) {
    const int what = rng_.below(3);
    if (what == 0) {  // a number is used again by the thread that has joined the last one of it
      for (int t = 1; t < kMostThreads; ++t)
        if (state_[t] == State::kNone && (joined_by_[t] == thread || joined_by_[t] == -2)) return create(thread, t);
    } else if (what == 1) {
      const int other = any([](State state) { return state == State::kEnded; });
      if (other >= 0) return join(thread, other);
      const int running = any([](State state) { return state == State::kRuns; });
      if (running == thread || is_waited_for_[running] || running == 0) return;
      state_[thread] = State::kJoins;
      waits_for_[thread] = running;
      is_waited_for_[running] = true;
      memory_.note_waiting_for_thread(thread, running);
      log_ += " " + std::to_string(thread) + ":waitsfor" + std::to_string(running);
    } else if (thread != 0) {
      end(thread);
    }
  }
  void end(int thread) {
    memory_.finish(thread);
    state_[thread] = State::kEnded;
    log_ += " " + std::to_string(thread) + ":ends";
    for (int t = 0; t < kMostThreads; ++t)
      if (state_[t] == State::kJoins && waits_for_[t] == thread) {
        is_waited_for_[thread] = false;
        join(t, thread);
      }
  }
  void let_go_on() {
    const int waiting = any([](State state) { return state == State::kLocks; });
    if (waiting >= 0) return take(waiting);
  }

  base::Rng rng_;
  const Mix& mix_;
  Memory& memory_;
  NaiveMemory naive_;
  State state_[kMostThreads] = {};
  int waits_for_[kMostThreads] = {};
  bool is_waited_for_[kMostThreads] = {};
  int joined_by_[kMostThreads] = {-2, -2, -2, -2, -2};
  int last_ = 0;
  std::string log_;
};

constexpr Mix kMixes[] = {{"accesses", 0, 20, 0, 0, 0},      {"fences", 30, 20, 0, 0, 0},    {"seq_cst", 0, 20, 60, 0, 0},
                          {"seq_cst fences", 30, 10, 80, 0, 0}, {"mixed seq_cst", 20, 15, 40, 0, 0}, {"threads", 15, 15, 30, 12, 0},
                          {"locks", 10, 10, 20, 0, 25},      {"all", 12, 15, 30, 6, 8}};

class MemoryRandomTest : public ::testing::TestWithParam<Memory::Pruning> {};

TEST_P(MemoryRandomTest, WhatMayBeReadIsWhatTheStandardAllows) {
  Memory memory;
  for (const Mix& mix : kMixes) {
    const int executions = tests::scaled(400);
    for (int i = 0; i < executions; ++i) {
      SCOPED_TRACE(std::string(mix.name) + ", execution " + std::to_string(i));
      Pair pair(6, static_cast<std::uint64_t>(i), mix, GetParam(), memory);
      for (int step = 0; step < 10 + i % 30 && !HasFatalFailure(); ++step) {
        pair.step();
        pair.compare_last();
      }
      if (!HasFatalFailure()) pair.compare_all();
      if (HasFatalFailure()) return;
    }
  }
  memory.begin();
  EXPECT_EQ(memory.rows_in_use(), 0u);
}

std::string name_of(const ::testing::TestParamInfo<Memory::Pruning>& instance) {
  return instance.param == Memory::Pruning::kSeldom ? "PruningSeldom" : instance.param == Memory::Pruning::kAlways ? "PruningAlways" : "PruningNever";
}
INSTANTIATE_TEST_SUITE_P(Pruning, MemoryRandomTest, ::testing::Values(Memory::Pruning::kSeldom, Memory::Pruning::kAlways, Memory::Pruning::kNever), name_of);

}  // namespace
}  // namespace ordeal::sample::testing
