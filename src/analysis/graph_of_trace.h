// A trace as an execution graph again: clocks, modification-order constraints and axioms of the model that it names.
//
// A trace is what is left of an execution: events, reads-from, orders. Whatever is asked of it later (what happens before what, what a
// load could have read, whether another order would forbid it) is asked of the model, and that wants a graph. Event i of the trace is in
// slot i. As a rule the events stand in an order of execution and are pushed one after the other, O(n); with load buffering some read
// stands before the write that it reads, and all is computed from its definition (model/from_scratch.h).
//
// What a trace does not tell: the function of a read-modify-write, and whether a load is a compare-exchange that failed. The functions of
// read-write locks matter to happens-before and are seen from their values.
//
// A trace that was read from a file may be anything that keeps the promises of trace/format.h. Then the graph need not be consistent:
// `standing` says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/consistency.h"
#include "trace/trace.h"

namespace ordeal::analysis {

enum class Standing : std::uint8_t {
  kConsistent,
  kInconsistent,   // events, rf and hb are there; constraints of modification order mean nothing
  kUnknownModel,   // the graph is empty
  kTooLarge,       // likewise
};

/// The model with this name.
std::optional<model::Model> model_named(std::string_view name);

class GraphOfTrace {
 public:
  explicit GraphOfTrace(const trace::Trace& trace);
  /// Of these events only, in growing order: event i of the list is in slot i.
  /// REQUIRES: with an event those of its thread before it, what it reads and, of a join, the whole thread are there, too.
  GraphOfTrace(const trace::Trace& trace, const std::vector<std::size_t>& kept);

  Standing standing() const { return standing_; }
  bool is_consistent() const { return standing_ == Standing::kConsistent; }
  /// Whether some event stands before one that it depends on, as in load buffering.
  bool is_out_of_order() const { return is_out_of_order_; }
  model::ExecutionGraph& graph() { return graph_; }
  const model::ExecutionGraph& graph() const { return graph_; }
  model::Consistency& consistency() { return consistency_; }

 private:
  void build(const trace::Trace& trace, const std::vector<std::size_t>& kept);
  bool is_too_large(const trace::Trace& trace, std::size_t events) const;
  void declare(const trace::Trace& trace);
  /// The events as the model has them, rf included, not yet pushed.
  std::vector<model::Event> make_events(const trace::Trace& trace, const std::vector<std::size_t>& kept) const;
  bool push_in_order(const std::vector<model::Event>& events);
  bool push_out_of_order(const std::vector<model::Event>& events);
  void set_mo_positions(const trace::Trace& trace, const std::vector<std::size_t>& kept);

  model::ExecutionGraph graph_;
  model::Consistency consistency_;
  Standing standing_ = Standing::kConsistent;
  bool is_out_of_order_ = false;
};

}  // namespace ordeal::analysis
