#include "analysis/operations.h"

#include <algorithm>

namespace ordeal::analysis {

using model::EventKind;

namespace {

Sort sort_of(EventKind kind) {
  switch (kind) {
    case EventKind::kRead: return Sort::kRead;  // until its write comes
    case EventKind::kWrite: return Sort::kWrite;
    case EventKind::kCreate: return Sort::kCreate;
    case EventKind::kJoin: return Sort::kJoin;
    case EventKind::kWake: return Sort::kWake;
    default: return Sort::kOther;
  }
}

}  // namespace

void Operations::clear(int thread_count, int location_count, std::size_t events) {
  cut(0);
  threads = thread_count;
  locations = location_count;
  by_thread_.resize(static_cast<std::size_t>(threads));
  of_event_.assign(events, kNoOperation);
}

/// Program order is the order of calls.
Operation& Operations::append(Sort sort, int thread, int event) {
  std::vector<OperationId>& mine = by_thread_[static_cast<std::size_t>(thread)];
  Operation& operation = all.emplace_back();
  operation.sort = sort;
  operation.thread = thread;
  operation.index = static_cast<std::int32_t>(mine.size());
  operation.event = operation.last_event = event;
  mine.push_back(size() - 1);
  return operation;
}

// --- of a graph ------------------------------------------------------------------------------------------------------------------

void Operations::assign(const model::ExecutionGraph& graph) {
  const int common = is_settled_ ? common_with(graph) : 0;
  cut(common);
  threads = graph.threads();
  locations = graph.locations();
  by_thread_.resize(static_cast<std::size_t>(threads));
  if (user_.size() < static_cast<std::size_t>(locations)) user_.resize(static_cast<std::size_t>(locations), kNobody);
  is_settled_ = true;
  while (!add_from(graph, static_cast<int>(serials_.size()))) cut(0);
}

/// How many slots are the same. Two graphs with the same serial in a slot are equal up to there.
int Operations::common_with(const model::ExecutionGraph& graph) const {
  int same = 0;
  for (int limit = std::min(graph.size(), static_cast<int>(serials_.size())); same < limit;) {
    const int middle = same + (limit - same + 1) / 2;
    if (graph.event(model::Slot{middle - 1}).serial == serials_[static_cast<std::size_t>(middle) - 1]) same = middle;
    else limit = middle - 1;
  }
  return same;
}

/// Takes away what is not of the first `slots` events.
void Operations::cut(int slots) {
  for (; !all.empty() && all.back().event >= slots; all.pop_back()) by_thread_[static_cast<std::size_t>(all.back().thread)].pop_back();
  for (std::size_t slot = static_cast<std::size_t>(slots); slot < of_event_.size(); ++slot) {  // of an update whose read stays
    if (of_event_[slot] < 0 || of_event_[slot] >= size()) continue;
    Operation& first = all[static_cast<std::size_t>(of_event_[slot])];
    first.sort = Sort::kRead;
    first.last_event = first.event;
  }
  of_event_.resize(static_cast<std::size_t>(slots));
  serials_.resize(static_cast<std::size_t>(slots));
}

/// False: a location is shared that was taken for private before; from now on it is known.
bool Operations::add_from(const model::ExecutionGraph& graph, int slot) {
  const std::size_t first = all.size();
  for (; slot < graph.size(); ++slot) {
    of_event_.push_back(kNoOperation);
    serials_.push_back(graph.event(model::Slot{slot}).serial);
    if (!add(graph, slot)) return false;
  }
  for (std::size_t id = first; id < all.size(); ++id) find_source(graph, all[id]);
  return true;
}

bool Operations::add(const model::ExecutionGraph& graph, int slot) {
  const model::Event& event = graph.event(model::Slot{slot});
  const Sort sort = event.kind == EventKind::kAttempt ? Sort::kOther : sort_of(event.kind);
  if (sort == Sort::kOther) return true;
  const bool has_location = sort == Sort::kRead || sort == Sort::kWrite || sort == Sort::kWake;
  if (has_location && is_private(graph, event)) return true;
  if (has_location && user_[static_cast<std::size_t>(number(event.location))] != kShared) {
    user_[static_cast<std::size_t>(number(event.location))] = kShared;
    return false;
  }
  if (event.mo_position != 0) is_settled_ = false;
  const bool is_second = event.is_rmw && event.kind == EventKind::kWrite && event.previous != model::kNone;
  Operation& operation = is_second ? all[static_cast<std::size_t>(of_event_[static_cast<std::size_t>(number(event.previous))])]
                                   : append(sort, number(event.thread), slot);
  if (is_second) operation.sort = Sort::kUpdate;
  operation.location = number(event.location);
  operation.last_event = slot;
  operation.mo_position = event.mo_position;
  of_event_[static_cast<std::size_t>(slot)] = by_thread_[static_cast<std::size_t>(number(event.thread))].back();
  if (operation.sort >= Sort::kCreate) operation.other = number(event.access.other);
  return true;
}

/// Nobody else has used the location, and what is read is what this thread wrote there last.
bool Operations::is_private(const model::ExecutionGraph& graph, const model::Event& event) {
  std::int32_t& user = user_[static_cast<std::size_t>(number(event.location))];
  if (user == kNobody) user = number(event.thread);
  if (user != number(event.thread) || event.kind == EventKind::kWake) return false;
  if (event.kind == EventKind::kWrite) return true;
  const model::Slot before = event.previous_here;
  if (before == model::kNone) return event.rf == model::initial_write(event.location);
  return event.rf == (graph.event(before).kind == EventKind::kWrite ? before : graph.event(before).rf);
}

void Operations::find_source(const model::ExecutionGraph& graph, Operation& operation) {
  if (!reads(operation.sort) && operation.sort != Sort::kWake) return;
  const model::Slot rf = graph.event(model::Slot{operation.event}).rf;
  if (number(rf) >= operation.event || rf == model::kNone) is_settled_ = false;  // it was promised: load buffering
  if (rf == model::kNone) operation.sort = Sort::kOther;                          // nothing is known
  else if (!model::is_initial(rf)) operation.source = of_event_[static_cast<std::size_t>(number(rf))];
  else if (reads(operation.sort)) operation.source = initial_write(operation.location);
}

// --- of a trace ------------------------------------------------------------------------------------------------------------------

void Operations::assign(const trace::Trace& trace) {
  clear(static_cast<int>(trace.threads.size()), static_cast<int>(trace.locations.size()), trace.events.size());
  std::vector<std::vector<OperationId>> named(trace.threads.size());  // by thread and place in it
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const trace::TraceEvent& event = trace.events[i];
    std::vector<OperationId>& mine = named[static_cast<std::size_t>(event.name.thread)];
    const bool is_second = event.is_rmw && event.kind == EventKind::kWrite && !mine.empty() && all[static_cast<std::size_t>(mine.back())].location == event.location &&
                           all[static_cast<std::size_t>(mine.back())].sort == Sort::kRead;
    if (is_second) {
      Operation& operation = all[static_cast<std::size_t>(mine.back())];
      operation.sort = Sort::kUpdate;
      operation.mo_position = event.mo_position;
      operation.last_event = static_cast<std::int32_t>(i);
      mine.push_back(mine.back());
    } else {
      Operation& operation = append(sort_of(event.kind), event.name.thread, static_cast<int>(i));
      operation.location = event.location;
      operation.mo_position = event.mo_position;
      if (operation.sort >= Sort::kCreate && event.other < threads) operation.other = event.other;
      mine.push_back(size() - 1);
    }
    of_event_[i] = mine.back();
  }
  for (Operation& operation : all) {
    if (!reads(operation.sort) && operation.sort != Sort::kWake) continue;
    const trace::EventName rf = trace.events[static_cast<std::size_t>(operation.event)].rf;
    if (rf.thread >= 0) operation.source = named[static_cast<std::size_t>(rf.thread)][static_cast<std::size_t>(rf.index)];
    else if (reads(operation.sort)) operation.source = initial_write(operation.location);
  }
  check_positions();
}

/// Where the positions of a location's writes are not 1, 2, 3 …, which no search writes, they mean nothing.
void Operations::check_positions() {
  std::vector<std::vector<OperationId>> written(static_cast<std::size_t>(locations));
  for (OperationId id = 0; id < size(); ++id)
    if (writes((*this)[id].sort)) written[static_cast<std::size_t>((*this)[id].location)].push_back(id);
  for (const std::vector<OperationId>& here : written) {
    std::vector<bool> is_taken(here.size());
    const bool is_order = std::all_of(here.begin(), here.end(), [&](OperationId id) {
      const auto position = static_cast<std::size_t>((*this)[id].mo_position) - 1;
      if (position >= here.size() || is_taken[position]) return false;
      is_taken[position] = true;
      return true;
    });
    for (const OperationId id : here)
      if (!is_order) all[static_cast<std::size_t>(id)].mo_position = 0;
  }
}

void Operations::assign(std::span<const Operation> operations, int thread_count, int location_count) {
  clear(thread_count, location_count, operations.size());
  for (std::size_t i = 0; i < operations.size(); ++i) {
    Operation& operation = append(operations[i].sort, operations[i].thread, static_cast<int>(i));
    const std::int32_t index = operation.index, event = operation.event;
    operation = operations[i];
    operation.index = index;
    operation.event = operation.last_event = event;
    of_event_[i] = event;
  }
}

}  // namespace ordeal::analysis
