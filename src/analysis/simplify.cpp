#include "analysis/simplify.h"

#include <numeric>
#include <span>

#include "analysis/hard_orders.h"
#include "analysis/mostly_sc.h"
#include "analysis/regroup.h"

namespace ordeal::analysis {

namespace {

std::vector<OperationId> order_of(const trace::Trace& trace, const Operations& operations, const ScEquivalence& equivalence, Sc sc) {
  if (sc == Sc::kYes) return regroup(operations, equivalence.interleaving(), {});
  GraphOfTrace graph(trace);
  HardOrders hard = hard_orders(trace, operations, graph);
  std::vector<OperationId> order;
  if (!hard.may_read_ahead || graph.graph().size() > 0) order = MostlySc(operations, hard).find();
  if (!order.empty()) return regroup(operations, order, hard);
  order.resize(operations.all.size());  // as they were executed
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// Both events of a read-modify-write.
std::vector<std::size_t> events_of(const trace::Trace& trace, const Operations& operations, const std::vector<OperationId>& order) {
  std::vector<std::size_t> second(operations.all.size(), SIZE_MAX);
  for (std::size_t i = 0; i < trace.events.size(); ++i)
    if (const OperationId id = operations.of_event(i); static_cast<std::size_t>(operations[id].event) != i) second[static_cast<std::size_t>(id)] = i;
  std::vector<std::size_t> events;
  for (const OperationId id : order) {
    events.push_back(static_cast<std::size_t>(operations[id].event));
    if (second[static_cast<std::size_t>(id)] != SIZE_MAX) events.push_back(second[static_cast<std::size_t>(id)]);
  }
  return events;
}

/// The last write above each read, where that is not what it reads.
std::vector<EventIndex> find_surprises(const trace::Trace& trace, const Operations& operations, const std::vector<OperationId>& order, const std::vector<std::size_t>& events) {
  std::vector<EventIndex> written(operations.all.size(), kNoEvent);  // by operation: its write
  for (const std::size_t i : events)
    if (trace.events[i].kind == model::EventKind::kWrite) written[static_cast<std::size_t>(operations.of_event(i))] = static_cast<EventIndex>(i);
  std::vector<EventIndex> expected(trace.events.size(), kNoEvent);
  std::vector<OperationId> memory(static_cast<std::size_t>(operations.locations));
  for (std::int32_t l = 0; l < operations.locations; ++l) memory[static_cast<std::size_t>(l)] = initial_write(l);
  for (const OperationId id : order) {
    const Operation& operation = operations[id];
    if (!reads(operation.sort) && !writes(operation.sort)) continue;
    OperationId& last = memory[static_cast<std::size_t>(operation.location)];
    if (reads(operation.sort) && last != operation.source)
      expected[static_cast<std::size_t>(operation.event)] = last < 0 ? initial_write_of(operation.location) : written[static_cast<std::size_t>(last)];
    if (writes(operation.sort)) last = id;
  }
  return expected;
}

/// An edge leads from what an operation does last to what the next does first.
std::vector<CycleStep> steps_of(const Operations& operations, std::span<const ScEdge> edges) {
  std::vector<CycleStep> steps;
  for (const ScEdge& edge : edges) steps.push_back({operations[edge.from].event, operations[edge.to].event, edge.kind, {}});
  return steps;
}
std::vector<CycleStep> steps_of(const Operations& operations, const Cycle& cycle) {
  std::vector<CycleStep> steps = steps_of(operations, cycle.edges);
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (const std::vector<ScEdge>& way = cycle.ways[i]; way.size() > 1) steps[i].way = steps_of(operations, way);
  return steps;
}

}  // namespace

ShownOrder simplify(const trace::Trace& trace) {
  Operations operations;
  operations.assign(trace);
  ScEquivalence equivalence;
  ShownOrder shown;
  shown.sc = equivalence.decide(operations);
  const std::vector<OperationId> order = order_of(trace, operations, equivalence, shown.sc);
  shown.events = events_of(trace, operations, order);
  shown.expected = find_surprises(trace, operations, order, shown.events);
  if (shown.sc == Sc::kNo) {
    const Cycle cycle = equivalence.cycle();
    shown.cycle = steps_of(operations, cycle);
    shown.cycle_is_one_case = cycle.is_one_case;
  }
  return shown;
}

}  // namespace ordeal::analysis
