#include "litmus/outcomes.h"

#include <algorithm>

#include "model/completion.h"

namespace ordeal::litmus {

using model::ExecutionGraph;
using model::kNone;
using model::Slot;
using model::ThreadId;

namespace {

void add_observables(const Proposition& proposition, std::vector<Observable>& into) {
  const auto add = [&](const Observable& observable) {
    if (std::find(into.begin(), into.end(), observable) == into.end()) into.push_back(observable);
  };
  if (proposition.kind == Proposition::Kind::kAtom) {
    add(proposition.left);
    if (proposition.right) add(*proposition.right);
  }
  for (const Proposition& operand : proposition.operands) add_observables(operand, into);
}

}  // namespace

Outcomes::Outcomes(const Test& test, const Interpreter& interpreter, model::Consistency& consistency)
    : test_(test), interpreter_(interpreter), consistency_(consistency), watched_(test.observables()) {
  shown_ = watched_.size();
  if (test.filter) add_observables(*test.filter, watched_);
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    if (watched_[i].thread >= 0) continue;
    locations_.push_back(model::LocationId{watched_[i].index});
    location_at_.push_back(i);
  }
  all_.resize(watched_.size());
  state_.resize(shown_);
  has_plain_accesses_ = interpreter.has_plain_accesses();
}

bool Outcomes::finished(const engine::Execution& execution) {
  ExecutionGraph& graph = execution.graph;
  if (has_plain_accesses_ && !is_racy_) {
    if (const auto race = model::find_race(graph)) {
      is_racy_ = true;
      race_ = interpreter_.describe(graph, race->first) + " and " + interpreter_.describe(graph, race->second);
    }
  }
  if (execution.ending != engine::Ending::kComplete) return true;
  read_variables(graph);
  if (locations_.empty()) {
    record();
    return true;
  }
  model::for_each_final_memory(graph, consistency_, locations_, [&](std::span<const Slot> last) {
    for (std::size_t i = 0; i < last.size(); ++i) all_[location_at_[i]] = graph.event(last[i]).value;
    record();
    return true;
  });
  return true;
}

void Outcomes::read_variables(const ExecutionGraph& graph) {
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const auto [thread, index] = watched_[i];
    if (thread < 0) continue;
    const Slot last = graph.last_of(ThreadId{thread});
    if (last == kNone) all_[i] = interpreter_.initial_variable(thread, index);
    else if (graph.payload_size() > 0) all_[i] = Interpreter::variable_in(graph.payload(last), index);
    else all_[i] = interpreter_.variable(thread, index);
  }
}

void Outcomes::record() {
  if (test_.filter && !holds(*test_.filter, [&](const Observable& wanted) {
        return all_[static_cast<std::size_t>(std::find(watched_.begin(), watched_.end(), wanted) - watched_.begin())];
      }))
    return;
  std::copy_n(all_.begin(), shown_, state_.begin());
  ++states_[state_];
  if (is_unexpected_ || test_.quantifier == Quantifier::kExists) return;
  is_unexpected_ = (test_.quantifier == Quantifier::kNotExists) == holds(test_.condition, [&](const Observable& wanted) {
    return all_[static_cast<std::size_t>(std::find(watched_.begin(), watched_.end(), wanted) - watched_.begin())];
  });
}

}  // namespace ordeal::litmus
