// Random graphs, grown one event at a time through Consistency as the explorer does it.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "base/rng.h"
#include "model/consistency.h"
#include "tests/support/scale.h"

namespace ordeal::model::testing {

/// What occurs in a random graph; percentages of operations.
struct Shape {
  Model model = Model::kCpp20;
  int threads = 3;
  int locations = 2;
  int events = 12;
  int writes = 4;       // at most, a location
  int plain = 10;       // of accesses
  int seq_cst = 0;      // of accesses and fences
  int fences = 15;
  int rmws = 25;
  int children = 0;     // creates and joins; then only thread 0 runs from the start
  bool revisited = false;  // stamps that differ from the order of slots, as after revisits
};

class RandomGraph {
 public:
  RandomGraph(const Shape& shape, std::uint64_t seed);

  /// Pushes a random event. If that is inconsistent, takes it back and returns false (as it does when nothing could be
  /// pushed). `pushed`, if set, is called after each push with Consistency's verdict.
  bool step();
  void pop() { graph.pop(); }
  /// Up to the shape's number of events.
  void grow();

  ExecutionGraph graph;
  Consistency consistency;
  base::Rng rng;
  std::function<void(bool verdict)> pushed;

 private:
  bool judge(bool verdict);
  bool may_run(ThreadId thread) const;
  bool is_joined(ThreadId thread) const;
  bool has_pending_rmw(ThreadId thread) const;
  MemoryOrder random_order(EventKind kind, bool is_rmw);
  std::uint32_t stamp(ThreadId thread);
  Slot random_source(LocationId location, bool for_rmw);
  int random_position(LocationId location);
  bool push_pending_write(ThreadId thread);
  bool push_fence(ThreadId thread);
  bool push_create(ThreadId thread);
  bool push_join(ThreadId thread);
  bool push_load(ThreadId thread, LocationId location, RmwFunction function);
  bool push_store(ThreadId thread, LocationId location);
  bool push_other(ThreadId thread, EventKind kind, MemoryOrder order, ThreadId other);

  Shape shape_;
  Value next_value_ = 1;
};

using tests::scaled;

/// A random test must have met what it is about, more than `least` times; asked only if it ran for long enough.
inline void expect_to_occur(int count, int rounds, int least = 0) {
  const bool is_enough = scaled(rounds) >= 100;
  EXPECT_TRUE(!is_enough || count > least) << count << " times in " << scaled(rounds) << " rounds";
}

}  // namespace ordeal::model::testing
