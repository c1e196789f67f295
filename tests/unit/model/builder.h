// Graphs by hand: each call appends one operation to the graph and returns the slot of its event.
//
//   Builder graph;
//   const Slot data = graph.store(0, x, kPlain);
//   const Slot flag = graph.store(0, y, kRelease);
//   const Slot seen = graph.load(1, y, flag, kAcquire);
//   EXPECT_TRUE(graph.hb(data, seen));
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "model/consistency.h"

namespace ordeal::model::testing {

using enum MemoryOrder;

// Locations.
constexpr int x = 0, y = 1, z = 2;

constexpr Slot initial(int location) { return initial_write(LocationId{location}); }

class Builder {
 public:
  explicit Builder(Model model = Model::kCpp20, int threads = 4, int locations = 3) : consistency(model) {
    for (int t = 0; t < threads; ++t) graph.declare_thread(ThreadId{t});
    for (int l = 0; l < locations; ++l) graph.declare_location(LocationId{l}, 0);
  }

  Slot store(int thread, int location, MemoryOrder order = kRelaxed, Value value = 1, int mo_position = 0) {
    EXPECT_TRUE(push_store(thread, location, order, value, mo_position)) << "store of " << value << " by " << thread;
    return graph.last();
  }
  Slot load(int thread, int location, Slot source, MemoryOrder order = kRelaxed) {
    EXPECT_TRUE(push_load(thread, location, source, order)) << "load by thread " << thread;
    return graph.last();
  }
  /// A fetch_add(1); the slot of its write. Its read is the slot before.
  Slot rmw(int thread, int location, Slot source, MemoryOrder order = kRelaxed) {
    EXPECT_TRUE(push_rmw(thread, location, source, order)) << "RMW by thread " << thread;
    return graph.last();
  }
  /// A compare-exchange that fails: it expects what is not there.
  /// An operation on a sync object (engine/operation.h); its write.
  Slot sync(int thread, int location, Slot source, RmwFunction function, MemoryOrder order, Value operand = 1) {
    EXPECT_TRUE(push_rmw(thread, location, source, order, function, operand)) << "operation by thread " << thread;
    return graph.last();
  }
  /// At a barrier, behind the last who arrives.
  Slot wake(int thread, int location, Slot waker, MemoryOrder order) {
    Access access = access_of(thread, location, order);
    access.kind = EventKind::kRead;
    Event event = Consistency::make_wake(graph, access, waker);
    event.stamp = graph.next_stamp++;
    consistency.push_other(graph, event);
    return graph.last();
  }
  Slot failing_exchange(int thread, int location, Slot source, MemoryOrder failure_order) {
    Access access = access_of(thread, location, kSeqCst);
    access.function = RmwFunction::kCompareExchange;
    access.failure_order = failure_order;
    access.expected = graph.event(source).value + 1;
    Event read = Consistency::make_read(graph, access, source, false);
    read.stamp = graph.next_stamp++;
    EXPECT_TRUE(consistency.push_read(graph, read));
    return graph.last();
  }
  Slot fence(int thread, MemoryOrder order) { return other(EventKind::kFence, thread, order, kNoThread); }
  Slot create(int thread, int child) { return other(EventKind::kCreate, thread, kRelaxed, ThreadId{child}); }
  Slot join(int thread, int child) { return other(EventKind::kJoin, thread, kRelaxed, ThreadId{child}); }

  // Whether the operation could come next; the graph stays as it is.
  bool may_load(int thread, int location, Slot source, MemoryOrder order = kRelaxed) {
    const bool may = push_load(thread, location, source, order);
    graph.pop();
    return may;
  }
  bool may_rmw(int thread, int location, Slot source, MemoryOrder order = kRelaxed) {
    const int size = graph.size();
    const bool may = push_rmw(thread, location, source, order);
    while (graph.size() > size) graph.pop();
    return may;
  }
  bool may_store(int thread, int location, MemoryOrder order, int mo_position) {
    const bool may = push_store(thread, location, order, 1, mo_position);
    graph.pop();
    return may;
  }

  bool hb(Slot a, Slot b) const { return graph.happens_before(a, b); }
  /// Whether neither happens before the other.
  bool unordered(Slot a, Slot b) const { return !hb(a, b) && !hb(b, a); }
  bool porf(Slot a, Slot b) const { return graph.porf_before(a, b); }
  bool forced(Slot a, Slot b) const { return forced_before(graph, a, b); }
  bool open(Slot a, Slot b) const { return !forced(a, b) && !forced(b, a); }
  int mo_position(Slot write) const { return graph.event(write).mo_position; }

  /// The writes that a load could read as far as coherence goes.
  std::vector<Slot> sources(int thread, int location) {
    std::vector<Slot> out;
    consistency.sources(graph, access_of(thread, location, kRelaxed), out);
    return out;
  }

  ExecutionGraph graph;
  Consistency consistency;

 private:
  static Access access_of(int thread, int location, MemoryOrder order) {
    Access access;
    access.thread = ThreadId{thread};
    access.location = LocationId{location};
    access.order = order;
    return access;
  }
  bool push_store(int thread, int location, MemoryOrder order, Value value, int mo_position) {
    Access access = access_of(thread, location, order);
    access.kind = EventKind::kWrite;
    access.operand = value;
    Event write = Consistency::make_write(access);
    write.stamp = graph.next_stamp++;
    if (consistency.mo_is_explicit()) write.mo_position = mo_position > 0 ? mo_position : graph.writes_at(write.location) + 1;
    return consistency.push_write(graph, write);
  }
  bool push_load(int thread, int location, Slot source, MemoryOrder order) {
    Access access = access_of(thread, location, order);
    access.kind = EventKind::kRead;
    Event read = Consistency::make_read(graph, access, source, false);
    read.stamp = graph.next_stamp++;
    return consistency.push_read(graph, read);
  }
  bool push_rmw(int thread, int location, Slot source, MemoryOrder order, RmwFunction function = RmwFunction::kAdd, Value operand = 1) {
    Access access = access_of(thread, location, order);
    access.kind = EventKind::kRead;
    access.function = function;
    access.operand = operand;
    Event read = Consistency::make_read(graph, access, source, false);
    read.stamp = graph.next_stamp++;
    if (!consistency.push_read(graph, read)) return false;
    Event write = Consistency::make_rmw_write(graph.event(graph.last()));
    write.stamp = graph.next_stamp++;
    if (consistency.mo_is_explicit()) write.mo_position = graph.event(source).mo_position + 1;
    return consistency.push_write(graph, write);
  }
  Slot other(EventKind kind, int thread, MemoryOrder order, ThreadId child) {
    Event event;
    event.kind = event.access.kind = kind;
    event.order = event.access.order = order;
    event.thread = event.access.thread = ThreadId{thread};
    event.access.other = child;
    event.stamp = graph.next_stamp++;
    consistency.push_other(graph, event);
    return graph.last();
  }
};

}  // namespace ordeal::model::testing
