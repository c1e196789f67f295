// The operations of an execution, as far as it matters whether it is an interleaving: the one input of the analyses, filled in from a
// graph (inside the tested process) or from a trace (reports).
//
// A read-modify-write is one operation here. Fences, choices and notes have a place in program order and nothing else. A wake stands
// behind the write that it names, and reads nothing. Values do not matter, and neither do memory orders.
//
// A search asks for one execution after the other, and each begins as the one before it. So of a graph only what is new is looked at: up to
// the first slot with another serial (model/event.h) all stays. And of a graph only what can matter becomes an operation: no fences, and no
// accesses to a location that one thread alone uses. Its reads return its last write, wherever the other threads stand.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/execution_graph.h"
#include "trace/trace.h"

namespace ordeal::analysis {

/// A place in `Operations::all`; the initial write of location l is initial_write(l), which is negative.
using OperationId = std::int32_t;
constexpr OperationId initial_write(std::int32_t location) { return -1 - location; }
constexpr OperationId kNoOperation = INT32_MIN;

enum class Sort : std::uint8_t { kOther, kRead, kWrite, kUpdate, kCreate, kJoin, kWake };
constexpr bool reads(Sort sort) { return sort == Sort::kRead || sort == Sort::kUpdate; }
constexpr bool writes(Sort sort) { return sort == Sort::kWrite || sort == Sort::kUpdate; }

struct Operation {
  Sort sort = Sort::kOther;
  std::int32_t thread = 0;
  std::int32_t index = 0;               // among the operations of its thread
  std::int32_t location = -1;           // of what reads or writes
  OperationId source = kNoOperation;    // of what reads: the write; of a wake: the write that it stands behind, or kNoOperation
  std::int32_t other = -1;              // of create and join: the thread; -1: unknown
  std::int32_t mo_position = 0;         // of a write, where modification order is explicit: from 1
  std::int32_t event = 0;               // the slot, or the place in trace.events; of a read-modify-write: that of its read
  std::int32_t last_event = 0;          // … and that of its write
};

class Operations {
 public:
  /// What was there before is gone; its storage is used again. Of a graph: what it has in common with the one before stays.
  void assign(const model::ExecutionGraph& graph);
  void assign(const trace::Trace& trace);
  /// For tests: thread by thread in any order, sources by place.
  void assign(std::span<const Operation> operations, int threads, int locations);

  std::vector<Operation> all;  // in an order that respects program order; mostly the order of execution
  int threads = 0;
  int locations = 0;
  int size() const { return static_cast<int>(all.size()); }
  const Operation& operator[](OperationId id) const { return all[static_cast<std::size_t>(id)]; }
  /// The operations of one thread.
  std::span<const OperationId> of_thread(int thread) const {
    return by_thread_[static_cast<std::size_t>(thread)];
  }
  /// The operation that an event is, or belongs to; kNoOperation: none.
  OperationId of_event(std::size_t event) const { return of_event_[event]; }
  /// Of a graph: its slots respect reads-from, and modification order is not explicit. So what its first slots say stays true of every
  /// graph that has them.
  bool is_settled() const { return is_settled_; }

 private:
  void clear(int thread_count, int location_count, std::size_t events);
  int common_with(const model::ExecutionGraph& graph) const;
  void cut(int slots);
  bool add_from(const model::ExecutionGraph& graph, int slot);
  bool add(const model::ExecutionGraph& graph, int slot);
  bool is_private(const model::ExecutionGraph& graph, const model::Event& event);
  void find_source(const model::ExecutionGraph& graph, Operation& operation);
  Operation& append(Sort sort, int thread, int event);
  void check_positions();

  static constexpr std::int32_t kNobody = -1, kShared = -2;
  std::vector<OperationId> of_event_;
  std::vector<std::vector<OperationId>> by_thread_;
  std::vector<std::uint64_t> serials_;  // of the graph's slots
  std::vector<std::int32_t> user_;      // by location: the thread that uses it; kShared once several have, in any graph
  bool is_settled_ = false;
};

}  // namespace ordeal::analysis
