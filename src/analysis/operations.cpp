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
  threads = thread_count;
  locations = location_count;
  all.clear();
  of_event_.assign(events, kNoOperation);
}

/// A counting sort: the operations of a thread stand in program order.
void Operations::sort_by_thread() {
  first_.assign(static_cast<std::size_t>(threads) + 1, 0);
  for (Operation& operation : all) operation.index = first_[static_cast<std::size_t>(operation.thread) + 1]++;
  for (std::size_t t = 0; t < static_cast<std::size_t>(threads); ++t) first_[t + 1] += first_[t];
  by_thread_.resize(all.size());
  for (OperationId id = 0; id < size(); ++id)
    by_thread_[static_cast<std::size_t>(first_[static_cast<std::size_t>((*this)[id].thread)] + (*this)[id].index)] = id;
}

void Operations::assign(const model::ExecutionGraph& graph) {
  clear(graph.threads(), graph.locations(), static_cast<std::size_t>(graph.size()));
  for (int slot = 0; slot < graph.size(); ++slot) {
    const model::Event& event = graph.event(model::Slot{slot});
    if (event.kind == EventKind::kAttempt) continue;
    const bool is_second = event.is_rmw && event.kind == EventKind::kWrite && event.previous != model::kNone;
    if (is_second) {
      const OperationId first = of_event_[static_cast<std::size_t>(number(event.previous))];
      of_event_[static_cast<std::size_t>(slot)] = first;
      all[static_cast<std::size_t>(first)].sort = Sort::kUpdate;
      all[static_cast<std::size_t>(first)].mo_position = event.mo_position;
      continue;
    }
    Operation& operation = all.emplace_back();
    operation.sort = sort_of(event.kind);
    operation.thread = number(event.thread);
    operation.location = number(event.location);
    operation.event = slot;
    operation.mo_position = event.mo_position;
    of_event_[static_cast<std::size_t>(slot)] = size() - 1;
    if (operation.sort >= Sort::kCreate) operation.other = number(event.access.other);
  }
  for (Operation& operation : all) {
    if (!reads(operation.sort) && operation.sort != Sort::kWake) continue;
    const model::Slot rf = graph.event(model::Slot{operation.event}).rf;
    if (rf == model::kNone) operation.sort = Sort::kOther;  // nothing is known
    else if (!model::is_initial(rf)) operation.source = of_event_[static_cast<std::size_t>(number(rf))];
    else if (reads(operation.sort)) operation.source = initial_write(operation.location);
  }
  sort_by_thread();
}

void Operations::assign(const trace::Trace& trace) {
  clear(static_cast<int>(trace.threads.size()), static_cast<int>(trace.locations.size()), trace.events.size());
  std::vector<std::vector<OperationId>> named(trace.threads.size());  // by thread and place in it
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const trace::TraceEvent& event = trace.events[i];
    std::vector<OperationId>& mine = named[static_cast<std::size_t>(event.name.thread)];
    const bool is_second = event.is_rmw && event.kind == EventKind::kWrite && !mine.empty() && all[static_cast<std::size_t>(mine.back())].location == event.location &&
                           all[static_cast<std::size_t>(mine.back())].sort == Sort::kRead;
    if (is_second) {
      all[static_cast<std::size_t>(mine.back())].sort = Sort::kUpdate;
      all[static_cast<std::size_t>(mine.back())].mo_position = event.mo_position;
      mine.push_back(mine.back());
    } else {
      Operation& operation = all.emplace_back();
      operation.sort = sort_of(event.kind);
      operation.thread = event.name.thread;
      operation.location = event.location;
      operation.event = static_cast<std::int32_t>(i);
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
  sort_by_thread();
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
  all.assign(operations.begin(), operations.end());
  for (OperationId id = 0; id < size(); ++id) {
    of_event_[static_cast<std::size_t>(id)] = id;
    all[static_cast<std::size_t>(id)].event = id;
  }
  sort_by_thread();
}

}  // namespace ordeal::analysis
