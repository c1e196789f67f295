// The operations of an execution, as far as it matters whether it is an interleaving: the one input of the analyses, filled in from a
// graph (inside the tested process) or from a trace (reports).
//
// A read-modify-write is one operation here. Fences, choices and notes have a place in program order and nothing else. A wake stands
// behind the write that it names, and reads nothing. Values do not matter, and neither do memory orders.
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
};

class Operations {
 public:
  /// What was there before is gone; its storage is used again.
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
    const auto t = static_cast<std::size_t>(thread);
    return std::span(by_thread_).subspan(static_cast<std::size_t>(first_[t]), static_cast<std::size_t>(first_[t + 1] - first_[t]));
  }
  /// The operation that an event is, or belongs to; kNoOperation: none.
  OperationId of_event(std::size_t event) const { return of_event_[event]; }

 private:
  void clear(int thread_count, int location_count, std::size_t events);
  void sort_by_thread();
  void check_positions();

  std::vector<OperationId> of_event_;
  std::vector<OperationId> by_thread_;
  std::vector<std::int32_t> first_;  // of each thread, in by_thread_
};

}  // namespace ordeal::analysis
