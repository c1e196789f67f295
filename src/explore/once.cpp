#include "explore/once.h"

namespace ordeal::explore {

using engine::Operation;
using engine::OperationKind;

bool Once::advance() { return search_.graph().size() == 0 && search_.advance(); }

bool Once::can_go_on(const Operation& operation) {
  const auto thread = static_cast<std::size_t>(number(operation.access.thread));
  if (thread < rests_since_.size() && rests_since_[thread] == writes_ + 1) return false;
  return search_.can_go_on(operation);
}

namespace {

/// Whether the thread's last event changed something. An RMW that writes back what it read did not.
bool has_changed_something(const model::ExecutionGraph& graph, model::ThreadId thread) {
  const model::Event& last = graph.event(graph.last_of(thread));
  if (last.kind != model::EventKind::kWrite) return last.kind != model::EventKind::kRead && last.kind != model::EventKind::kNote;
  return !last.is_rmw || last.value != graph.event(last.previous).value;
}

}  // namespace

/// A note is how a waiting loop gives way.
bool Once::decide(const Operation& operation) {
  const auto thread = static_cast<std::size_t>(number(operation.access.thread));
  if (thread >= rests_since_.size()) rests_since_.resize(thread + 1, 0);
  if (operation.kind == OperationKind::kNote) rests_since_[thread] = writes_ + 1;
  if (!search_.decide(operation)) return false;
  if (has_changed_something(search_.graph(), operation.access.thread)) ++writes_;
  return true;
}

}  // namespace ordeal::explore
