#include "analysis/graph_of_trace.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <stdexcept>

#include "model/from_scratch.h"

namespace ordeal::analysis {

using model::Event;
using model::EventKind;
using model::kNone;
using model::number;
using model::RmwFunction;
using model::Slot;
using trace::TraceEvent;

namespace {

constexpr std::size_t kMostOutOfOrder = 2'000;        // events: the definitions are slow
constexpr std::size_t kMostEntries = std::size_t{1} << 27;  // of all clock rows

std::vector<std::size_t> all_events(const trace::Trace& trace) {
  std::vector<std::size_t> all(trace.events.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

using Places = std::map<std::pair<std::int32_t, std::int32_t>, Slot>;

Places places_of(const trace::Trace& trace, const std::vector<std::size_t>& kept) {
  Places places;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const trace::EventName& name = trace.events[kept[i]].name;
    places[{name.thread, name.index}] = Slot{static_cast<std::int32_t>(i)};
  }
  return places;
}

Slot slot_of(const Places& places, const trace::EventName& name) {
  if (name.thread < 0) return model::initial_write(model::LocationId{name.index});
  const auto found = places.find({name.thread, name.index});
  return found == places.end() ? kNone : found->second;
}

bool names_a_write(EventKind kind) { return kind == EventKind::kRead || kind == EventKind::kWake; }

/// What the model needs to know of an event by itself.
Event describe(const TraceEvent& from, std::int32_t threads) {
  Event event;
  event.kind = event.access.kind = from.kind;
  event.order = event.access.order = event.access.failure_order = from.order;
  event.thread = event.access.thread = model::ThreadId{from.name.thread};
  if (from.location >= 0) event.location = event.access.location = model::LocationId{from.location};
  event.failed_spuriously = from.failed_spuriously;
  event.value = from.value;
  event.stamp = from.inserted;
  const bool is_of_thread = from.kind == EventKind::kCreate || from.kind == EventKind::kJoin;
  if (is_of_thread && from.other >= 0 && from.other < threads) event.access.other = model::ThreadId{from.other};
  else if (is_of_thread) event.kind = event.access.kind = EventKind::kNote;  // nobody knows of whom
  return event;
}

/// Which function it was, as far as happens-before asks: of read-write locks ([thread.sharedmutex.requirements]).
RmwFunction function_of(trace::LocationSort sort, model::Value read, model::Value written) {
  if (sort != trace::LocationSort::kSharedMutex) return RmwFunction::kExchange;
  if ((read & 1) == 0 && written == read + 2) return RmwFunction::kLockShared;
  if (read == 1 && written == 0) return RmwFunction::kUnlock;
  return RmwFunction::kExchange;
}

bool reads_stand_in_order(const std::vector<Event>& events) {
  for (std::size_t i = 0; i < events.size(); ++i)
    if (names_a_write(events[i].kind) && (events[i].rf == kNone || number(events[i].rf) > static_cast<std::int32_t>(i))) return false;
  return true;
}

/// Whether threads do nothing before they are created or after they are joined.
bool threads_stand_in_order(const std::vector<Event>& events) {
  std::map<model::ThreadId, std::size_t> first, last;
  for (std::size_t i = 0; i < events.size(); ++i) first.emplace(events[i].thread, i), last[events[i].thread] = i;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto other = events[i].access.other;
    if (events[i].kind == EventKind::kCreate && first.contains(other) && first[other] <= i) return false;
    if (events[i].kind == EventKind::kJoin && last.contains(other) && last[other] >= i) return false;
  }
  return true;
}

}  // namespace

std::optional<model::Model> model_named(std::string_view name) {
  using model::Model;
  for (const Model model : {Model::kCpp20, Model::kRc11, Model::kSc, Model::kTso})
    if (model::name_of(model) == name) return model;
  return std::nullopt;
}

GraphOfTrace::GraphOfTrace(const trace::Trace& trace) : GraphOfTrace(trace, all_events(trace)) {}

GraphOfTrace::GraphOfTrace(const trace::Trace& trace, const std::vector<std::size_t>& kept)
    : consistency_(model_named(trace.model).value_or(model::Model::kCpp20)) {
  if (!model_named(trace.model)) standing_ = Standing::kUnknownModel;
  else if (is_too_large(trace, kept.size())) standing_ = Standing::kTooLarge;
  else build(trace, kept);
}

bool GraphOfTrace::is_too_large(const trace::Trace& trace, std::size_t events) const {
  const std::size_t rows = (events + trace.locations.size() + 1) * model::kRows;
  return rows > kMostEntries / (trace.threads.size() + 4);
}

void GraphOfTrace::declare(const trace::Trace& trace) {
  if (!trace.threads.empty()) graph_.declare_thread(model::ThreadId{static_cast<std::int32_t>(trace.threads.size()) - 1});
  for (std::size_t l = 0; l < trace.locations.size(); ++l)
    graph_.declare_location(model::LocationId{static_cast<std::int32_t>(l)}, trace.locations[l].initial);
}

void GraphOfTrace::build(const trace::Trace& trace, const std::vector<std::size_t>& kept) {
  const std::vector<Event> events = make_events(trace, kept);
  const bool is_of_threads = threads_stand_in_order(events);
  is_out_of_order_ = !is_of_threads || !reads_stand_in_order(events);
  if (is_out_of_order_ && events.size() > kMostOutOfOrder) {
    standing_ = Standing::kTooLarge;
    return;
  }
  declare(trace);
  try {
    bool holds = is_out_of_order_ ? push_out_of_order(events) : push_in_order(events);
    if (consistency_.mo_is_explicit()) {
      set_mo_positions(trace, kept);
      holds = consistency_.recheck(graph_) && holds;
    }
    if (!holds || !is_of_threads) standing_ = Standing::kInconsistent;
  } catch (const std::length_error&) {  // too many seq_cst operations
    graph_.clear();
    standing_ = Standing::kTooLarge;
  }
}

std::vector<Event> GraphOfTrace::make_events(const trace::Trace& trace, const std::vector<std::size_t>& kept) const {
  const Places places = places_of(trace, kept);
  std::vector<Event> events;
  std::vector<char> goes_back(trace.locations.size(), 0);  // some read of the location stands before what it reads
  for (const std::size_t index : kept) {
    const TraceEvent& from = trace.events[index];
    Event event = describe(from, static_cast<std::int32_t>(trace.threads.size()));
    if (names_a_write(from.kind)) {
      event.rf = slot_of(places, from.rf);
      if (event.rf == kNone || number(event.rf) >= static_cast<std::int32_t>(events.size()))
        goes_back[static_cast<std::size_t>(from.location)] = 1;
    }
    events.push_back(event);
  }
  for (std::size_t i = 0; i < kept.size(); ++i) {  // the two halves of a read-modify-write
    const TraceEvent& from = trace.events[kept[i]];
    if (from.kind != EventKind::kWrite || !from.is_rmw || from.name.index == 0) continue;
    const Slot half = slot_of(places, {from.name.thread, from.name.index - 1});
    if (half == kNone) continue;
    const TraceEvent& read = trace.events[kept[static_cast<std::size_t>(number(half))]];
    if (read.kind != EventKind::kRead || !read.is_rmw || read.location != from.location) continue;
    Event &first = events[static_cast<std::size_t>(number(half))], &second = events[i];
    first.is_rmw = second.is_rmw = true;
    second.rf = first.rf;
    const auto location = static_cast<std::size_t>(from.location);
    // Happens-before follows the sources of a shared lock backwards, which must end.
    first.access.function = second.access.function =
        goes_back[location] != 0 ? RmwFunction::kExchange : function_of(trace.locations[location].sort, read.value, from.value);
  }
  return events;
}

bool GraphOfTrace::push_in_order(const std::vector<Event>& events) {
  const bool is_explicit = consistency_.mo_is_explicit();
  for (const Event& event : events) {
    bool holds = true;
    if (is_explicit || !is_access(event)) graph_.push(event);
    else holds = event.kind == EventKind::kRead ? consistency_.push_read(graph_, event) : consistency_.push_write(graph_, event);
    if (holds) continue;
    graph_.clear();
    for (const Event& again : events) graph_.push(again);
    return false;
  }
  return true;
}

/// First without sources, which are not there yet; then all is computed.
bool GraphOfTrace::push_out_of_order(const std::vector<Event>& events) {
  for (Event event : events) {
    if (event.kind != EventKind::kFence) event.rf = kNone;
    graph_.push(event);
  }
  bool is_whole = true;
  for (std::size_t i = 0; i < events.size(); ++i) {
    graph_.event(Slot{static_cast<std::int32_t>(i)}).rf = events[i].rf;
    is_whole = is_whole && (!names_a_write(events[i].kind) || events[i].rf != kNone);
  }
  const bool is_order = model::recompute_clocks(graph_);
  if (!is_whole || !is_order) return false;
  return consistency_.mo_is_explicit() || (model::recompute_modification_order(graph_) && consistency_.recheck(graph_));
}

/// As the trace has them; where that makes no sense, in the order of the events.
void GraphOfTrace::set_mo_positions(const trace::Trace& trace, const std::vector<std::size_t>& kept) {
  std::vector<std::array<std::int32_t, 3>> writes;  // location, position given, slot
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const TraceEvent& event = trace.events[kept[i]];
    if (event.kind == EventKind::kWrite) writes.push_back({event.location, event.mo_position, static_cast<std::int32_t>(i)});
  }
  std::sort(writes.begin(), writes.end());
  std::int32_t position = 0;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    position = i > 0 && writes[i - 1][0] == writes[i][0] ? position + 1 : 1;
    graph_.event(Slot{writes[i][2]}).mo_position = position;
  }
}

}  // namespace ordeal::analysis
