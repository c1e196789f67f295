#include "trace/trace.h"

#include <algorithm>
#include <utility>

namespace ordeal::trace {

using model::Event;
using model::EventKind;
using model::ExecutionGraph;
using model::number;
using model::Slot;

namespace {

EventName name_of(const ExecutionGraph& graph, Slot slot) {
  const Event& event = graph.event(slot);
  if (number(slot) < 0) return {-1, number(event.location)};
  return {number(event.thread), graph.place_in_class(slot)};
}

bool names_a_write(EventKind kind) { return kind == EventKind::kRead || kind == EventKind::kWake; }

std::vector<Slot> all_but_attempts(const ExecutionGraph& graph) {
  std::vector<Slot> slots;
  for (int i = 0; i < graph.size(); ++i)
    if (graph.event(Slot{i}).kind != EventKind::kAttempt) slots.push_back(Slot{i});
  return slots;
}

/// Slots in insertion order.
std::vector<Slot> by_stamp(const ExecutionGraph& graph) {
  std::vector<Slot> slots = all_but_attempts(graph);
  std::sort(slots.begin(), slots.end(), [&](Slot a, Slot b) { return graph.event(a).stamp < graph.event(b).stamp; });
  return slots;
}

engine::Choice choice_of(const TraceEvent& event) {
  engine::Choice choice;
  choice.of = model::ThreadId{event.name.thread};
  if (names_a_write(event.kind)) {
    choice.kind = event.failed_spuriously ? engine::ChoiceKind::kSpuriousFailure : engine::ChoiceKind::kReadsFrom;
    if (event.woken >= 0) choice.kind = engine::ChoiceKind::kWokenWaiter, choice.value = event.woken;
    choice.thread = model::ThreadId{event.rf.thread};
    choice.index = event.rf.index;
  } else if (event.kind == EventKind::kWrite && event.mo_position > 0) {
    choice.kind = engine::ChoiceKind::kMoPosition;
    choice.index = event.mo_position;
  } else if (event.kind == EventKind::kChoice) {
    choice.kind = engine::ChoiceKind::kValue;
    choice.value = event.value;
  }
  return choice;
}

TraceEvent describe(const ExecutionGraph& graph, Slot slot) {
  const Event& event = graph.event(slot);
  TraceEvent out;
  out.name = name_of(graph, slot);
  out.kind = event.kind;
  out.order = event.order;
  out.is_rmw = event.is_rmw;
  out.failed_spuriously = event.failed_spuriously;
  out.location = number(event.location);
  out.value = event.value;
  out.woken = event.woken;
  if (names_a_write(event.kind)) out.rf = name_of(graph, event.rf);
  out.mo_position = event.mo_position;
  if (event.kind == EventKind::kRead && event.access.function == model::RmwFunction::kCompareExchange && event.access.await == model::Await::kNone) {
    out.expected = event.access.expected;
    out.otherwise = event.is_rmw ? event.access.failure_order : event.access.order;
    out.is_weak = event.access.is_weak != 0;
  }
  if (event.kind == EventKind::kCreate || event.kind == EventKind::kJoin) out.other = number(event.access.other);
  if (event.kind == EventKind::kChoice) out.about = static_cast<model::ChoiceOf>(event.access.operand);
  return out;
}

}  // namespace

Trace record(const engine::Execution& execution, const Names& names, std::string program, std::string model) {
  const ExecutionGraph& graph = execution.graph;
  Trace trace{std::move(program), std::move(model), execution.ending, {}, {}, {}, {}};
  for (int t = 0; t < graph.threads(); ++t) trace.threads.push_back(names.thread(model::ThreadId{t}));
  for (int l = 0; l < graph.locations(); ++l) {
    const model::LocationId location{l};
    trace.locations.push_back(
        {names.location(location), graph.event(model::initial_write(location)).value, 0, 0, LocationSort::kMemory});
  }
  const std::vector<Slot> inserted = by_stamp(graph);
  std::vector<std::uint32_t> place(static_cast<std::size_t>(graph.size()));
  for (std::size_t i = 0; i < inserted.size(); ++i)
    place[static_cast<std::size_t>(number(inserted[i]))] = static_cast<std::uint32_t>(i);
  for (const Slot slot : all_but_attempts(graph)) {
    trace.events.push_back(describe(graph, slot));
    trace.events.back().line = names.line(graph.event(slot));
    trace.events.back().inserted = place[static_cast<std::size_t>(number(slot))];
  }
  return trace;
}

namespace {

/// Events stand behind all that they depend on, but for reads whose value was promised.
bool is_behind(const Trace& trace, const EventName& name, const TraceEvent& event) {
  const auto begin = trace.events.begin() + (&event - trace.events.data());
  return name.thread >= 0 && std::any_of(begin, trace.events.end(), [&](const TraceEvent& other) { return other.name == name; });
}
void make_promise(engine::Choice& choice, model::Value value) {
  choice.kind = engine::ChoiceKind::kPromise;
  choice.value = value;
}

}  // namespace

engine::UnitOfWork unit_of_work(const ExecutionGraph& graph) {
  engine::UnitOfWork choices;
  for (const Slot slot : by_stamp(graph)) {
    choices.push_back(choice_of(describe(graph, slot)));
    const model::Event& event = graph.event(slot);
    if (event.kind == EventKind::kRead && number(event.rf) > number(slot)) make_promise(choices.back(), event.value);
  }
  return choices;
}

engine::UnitOfWork unit_of_work(const Trace& trace) {
  std::vector<const TraceEvent*> events;
  for (const TraceEvent& event : trace.events) events.push_back(&event);
  std::sort(events.begin(), events.end(), [](const TraceEvent* a, const TraceEvent* b) { return a->inserted < b->inserted; });
  engine::UnitOfWork choices;
  for (const TraceEvent* event : events) {
    choices.push_back(choice_of(*event));
    if (event->kind == EventKind::kRead && is_behind(trace, event->rf, *event)) make_promise(choices.back(), event->value);
  }
  return choices;
}

}  // namespace ordeal::trace
