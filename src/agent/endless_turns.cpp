#include "agent/endless_turns.h"

#include <algorithm>

namespace ordeal::agent {
namespace {

/// A thread that was stopped, and the first event of its turn.
struct Turn {
  model::ThreadId thread;
  std::int32_t first;
  std::uintptr_t object;
};

bool is_of_a_turn(const model::Event& event, const std::vector<Turn>& turns) {
  return std::any_of(turns.begin(), turns.end(), [&](const Turn& turn) { return turn.thread == event.thread && event.index >= turn.first; });
}

/// Whether somebody has changed the object after `source`, which the turn has read, as far as is known. `first`: the turn's first event.
bool is_changed_after(const model::ExecutionGraph& graph, model::Slot source, model::LocationId location, model::Slot first, const std::vector<Turn>& turns) {
  bool is_changed = false;
  for (model::Slot at = graph.last_write(location); at != model::kNone && !model::is_initial(at); at = graph.event(at).previous_at_location) {
    const model::Event& event = graph.event(at);
    if (event.kind != model::EventKind::kWrite || is_of_a_turn(event, turns)) continue;
    const bool is_first = model::is_initial(source);
    if (event.mo_position != 0) is_changed |= is_first || event.mo_position > graph.event(source).mo_position;
    else if (event.chain_head == (is_first ? source : graph.event(source).chain_head)) is_changed |= is_first || event.chain_position > graph.event(source).chain_position;
    else if (!graph.happens_before(at, first)) return false;  // it may come before
  }
  return is_changed;
}

/// Whether the thread would read something else in its next turn.
bool is_answered(const model::ExecutionGraph& graph, const Turn& turn, const std::vector<Turn>& turns) {
  std::vector<model::Slot> reads;
  model::Slot first = model::kNone;
  for (model::Slot at = graph.last_of(turn.thread); at != model::kNone && graph.event(at).index >= turn.first; at = graph.event(at).previous) {
    first = at;
    if (graph.event(at).kind == model::EventKind::kRead) reads.push_back(at);
  }
  return std::any_of(reads.begin(), reads.end(), [&](model::Slot read) { return is_changed_after(graph, graph.event(read).rf, graph.event(read).location, first, turns); });
}

}  // namespace

std::vector<std::uintptr_t> objects_of_endless_turns(runtime::NativeProgram& program, const model::ExecutionGraph& graph) {
  std::vector<Turn> turns;
  for (int t = 0; t < program.thread_count(); ++t) {
    const runtime::Thread& thread = program.thread(t);
    const bool is_stopped = thread.state == runtime::Thread::State::kRunning && thread.operation.kind == engine::OperationKind::kBlock;
    if (!is_stopped || thread.operation.cut == engine::Cut::kSpin) continue;
    if (thread.operation.cut != engine::Cut::kRedundant || thread.spin.stopped_at == 0) return {};
    turns.push_back({model::ThreadId{t}, static_cast<std::int32_t>(thread.spin.stopped_for), thread.spin.stopped_at});
  }
  std::vector<std::uintptr_t> objects;
  for (const Turn& turn : turns) {
    if (is_answered(graph, turn, turns)) return {};
    objects.push_back(turn.object);
  }
  return objects;
}

}  // namespace ordeal::agent
