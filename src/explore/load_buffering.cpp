#include "explore/load_buffering.h"

#include <algorithm>

#include "explore/promises.h"
#include "explore/waiting.h"
#include "model/from_scratch.h"

namespace ordeal::explore {

using engine::Operation;
using engine::OperationKind;
using model::Consistency;
using model::Event;
using model::EventKind;
using model::ExecutionGraph;
using model::kNone;
using model::kNoThread;
using model::number;
using model::Slot;
using model::ThreadId;

namespace {

bool is_read(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::kLoad:
    case OperationKind::kRmw:
    case OperationKind::kLock:
    case OperationKind::kUnlock:
    case OperationKind::kNotify: return true;
    case OperationKind::kAwait: return !is_wake(operation.access.await);
    default: return false;
  }
}

/// Sync objects wait for what there is: nothing is promised to them, nor by them.
bool takes_promises(const Operation& operation) {
  return operation.kind == OperationKind::kLoad || operation.kind == OperationKind::kRmw;
}

}  // namespace

const engine::Counts& LoadBuffering::run() {
  counts_ = {};
  if (consistency_.mo_is_explicit()) return counts_;  // sc and tso imply that po ∪ rf is acyclic
  graphs_.resize(1);
  follower_.declare(graphs_[0]);
  explore(0);
  return counts_;
}

ExecutionGraph& LoadBuffering::at(std::size_t depth) {
  while (graphs_.size() <= depth) graphs_.emplace_back();
  return graphs_[depth];
}

/// A copy of the graph one deeper, to be changed there.
ExecutionGraph& LoadBuffering::child(std::size_t depth) {
  ExecutionGraph& copy = at(depth + 1);
  copy.copy_prefix(graphs_[depth], graphs_[depth].size());
  return copy;
}

/// All ways to go on from a partial graph. While a certificate is looked for, only the certified thread runs.
void LoadBuffering::explore(std::size_t depth) {
  ExecutionGraph& graph = graphs_[depth];
  if (counts_.stopped) return;
  if (certificate_ == nullptr) {
    if (has_broken_promise(graph)) {
      ++discarded_;
      return;
    }
    if (!seen_.insert(key(graph, true)).second) return;
    if (stop_ != nullptr && stop_(stop_data_)) counts_.stopped = true;
    if (certificates_.size() <= depth) certificates_.resize(depth + 1);
    certificates_[depth].assign(static_cast<std::size_t>(graph.threads()), std::nullopt);
  } else if (!certificate_seen_->insert(key(graph, true)).second) {
    return;
  }
  bool moved = false;
  for (int t = 0; t < graph.threads(); ++t) {
    const ThreadId thread{t};
    if (certificate_ != nullptr && thread != certified_) continue;
    follower_.lose_track(graph);
    if (!can_go_on(graph, thread)) continue;
    moved = true;
    const Operation operation = follower_.next(graph, thread);
    follower_.declare_new(graph, operation);
    step(depth, thread, operation);
  }
  if (!moved && certificate_ == nullptr) report(depth);
}

bool LoadBuffering::can_go_on(ExecutionGraph& graph, ThreadId thread) {
  if (!follower_.has_started(graph, thread) || follower_.has_ended(graph, thread)) return false;
  const Operation& operation = follower_.next(graph, thread);
  if (operation.kind == OperationKind::kBlock) {
    counts_.bound_was_hit |= operation.cut == engine::Cut::kBound && certificate_ == nullptr;
    return false;
  }
  if (operation.kind == OperationKind::kLock || operation.kind == OperationKind::kAwait) {
    follower_.declare_new(graph, operation);
    if (is_wake(operation.access.await)) return waker(graph, operation.access) != kNone;
    return !sources(graph, operation.access).empty();
  }
  return operation.kind != OperationKind::kJoin || follower_.has_ended(graph, operation.access.other);
}

/// The writes that are there and that the access may read.
std::vector<Slot> LoadBuffering::sources(const ExecutionGraph& graph, const model::Access& access) const {
  if (access.function == model::RmwFunction::kUnlock) return {held_state(graph, access)};
  std::vector<Slot> found{model::initial_write(access.location)};
  for (Slot w = graph.last_write(access.location); w != kNone; w = graph.event(w).previous_at_location) found.push_back(w);
  std::erase_if(found, [&](Slot write) {
    if (access.await == model::Await::kApplicable && consistency_.is_taken(graph, write)) return true;
    return !fits(access, graph.event(write).value);
  });
  return found;
}

void LoadBuffering::step(std::size_t depth, ThreadId thread, const Operation& operation) {
  if (is_read(operation)) {
    read(depth, operation, sources(graphs_[depth], operation.access));
    if (certificate_ == nullptr && takes_promises(operation)) promises(depth, operation);
    return;
  }
  if (operation.kind == OperationKind::kAwait) {
    ExecutionGraph& graph = child(depth);
    if (push_among_promises(consistency_, graph, Consistency::make_wake(graph, operation.access, waker(graph, operation.access)))) go_on(depth + 1, thread);
    return;
  }
  if (operation.kind == OperationKind::kStore) {
    child(depth);
    write(depth + 1, Consistency::make_write(operation.access));
    return;
  }
  const std::uint32_t alternatives = operation.kind == OperationKind::kChoose ? operation.alternatives : 1;
  for (std::uint32_t value = 0; value < alternatives; ++value) {
    ExecutionGraph& graph = child(depth);
    Event event;
    event.access = operation.access;
    event.kind = operation.access.kind;
    event.thread = thread;
    event.order = operation.access.order;
    event.value = operation.kind == OperationKind::kChoose ? static_cast<model::Value>(value) : operation.access.operand;
    if (push_among_promises(consistency_, graph, event)) go_on(depth + 1, thread);
  }
}

void LoadBuffering::read(std::size_t depth, const Operation& operation, const std::vector<Slot>& sources) {
  for (const Slot source : sources) {
    const int variants = Consistency::variants(operation.access, graphs_[depth].event(source).value);
    for (int variant = 0; variant < variants; ++variant) {
      if (operation.access.is_weak && variant > 0 && !spurious_failures_) continue;
      child(depth);
      add_read(depth + 1, Consistency::make_read(graphs_[depth], operation.access, source, variant));
    }
  }
}

/// Values that another thread is certain to be able to write.
void LoadBuffering::promises(std::size_t depth, const Operation& operation) {
  for (int t = 0; t < graphs_[depth].threads(); ++t) {
    const ThreadId promiser{t};
    if (promiser == operation.access.thread) continue;
    const Writes writes = certifiable(depth, promiser);  // (a copy: the search below reuses its place)
    for (const auto& [location, value] : writes) {
      if (location != operation.access.location) continue;
      for (const bool spurious : {false, true}) {
        const bool may_fail = operation.access.is_weak && spurious_failures_ && model::writes_after_reading(operation.access, value);
        if (spurious && !may_fail) continue;
        add_read(depth + 1, make_promised_read(child(depth), operation.access, promiser, value, spurious));
      }
    }
  }
}

/// Pushes the read into the graph at `depth`, and the write of an RMW behind it.
void LoadBuffering::add_read(std::size_t depth, const Event& event) {
  if (!push_among_promises(consistency_, graphs_[depth], event)) return;
  if (event.is_rmw) write(depth, Consistency::make_rmw_write(event));
  else go_on(depth, event.thread);
}

/// Pushes the write; it may keep any of the promises that fit it.
void LoadBuffering::write(std::size_t depth, const Event& event) {
  ExecutionGraph& graph = graphs_[depth];
  if (!push_among_promises(consistency_, graph, event)) return;
  if (certificate_ != nullptr) {
    if (is_ordinary(event.access)) certificate_->insert({event.location, event.value});
    return go_on(depth, event.thread);
  }
  std::vector<Slot> open;
  for (Slot r = graph.last_read(event.location); r != kNone; r = graph.event(r).previous_at_location) {
    const Event& read = graph.event(r);
    if (is_open_promise(read) && read.promised_by == event.thread && read.value == event.value) open.push_back(r);
  }
  keep_promises(depth, open, 0);
}

void LoadBuffering::keep_promises(std::size_t depth, std::vector<Slot>& open, std::size_t next) {
  const Slot write = graphs_[depth].last();
  if (next == open.size()) return go_on(depth, graphs_[depth].event(write).thread);
  child(depth);
  keep_promises(depth + 1, open, next + 1);
  ExecutionGraph& graph = child(depth);
  keep_promise(graph, open[next]);
  if (recheck_all(consistency_, graph)) keep_promises(depth + 1, open, next + 1);
}

void LoadBuffering::go_on(std::size_t depth, ThreadId thread) {
  ExecutionGraph& graph = graphs_[depth];
  follower_.lose_track(graph);
  follower_.next(graph, thread);  // lets the thread run through its last operation
  explore(depth);
}

bool LoadBuffering::has_broken_promise(ExecutionGraph& graph) {
  for (int i = 0; i < graph.size(); ++i) {
    const Event& event = graph.event(Slot{i});
    if (is_open_promise(event) && follower_.has_ended(graph, event.promised_by)) return true;
  }
  return false;
}

/// What `thread` can write, run alone from here.
const LoadBuffering::Writes& LoadBuffering::certifiable(std::size_t depth, ThreadId thread) {
  if (certificates_[depth].size() <= static_cast<std::size_t>(number(thread))) certificates_[depth].resize(static_cast<std::size_t>(number(thread)) + 1);
  std::optional<Writes>& known = certificates_[depth][static_cast<std::size_t>(number(thread))];
  if (known) return *known;
  Writes writes;
  std::unordered_set<std::string> seen;
  certificate_ = &writes;
  certificate_seen_ = &seen;
  certified_ = thread;
  child(depth);
  explore(depth + 1);
  certificate_ = nullptr;
  certificate_seen_ = nullptr;
  known = std::move(writes);
  return *known;
}

void LoadBuffering::report(std::size_t depth) {
  ExecutionGraph& graph = graphs_[depth];
  engine::Execution execution{engine::Ending::kComplete, engine::Cut::kNothing, graph};
  for (int i = 0; i < graph.size(); ++i)
    if (is_open_promise(graph.event(Slot{i}))) {
      ++discarded_;
      return;
    }
  for (int t = 0; t < graph.threads(); ++t)
    if (follower_.has_started(graph, ThreadId{t}) && !follower_.has_ended(graph, ThreadId{t})) execution.ending = engine::Ending::kBlocked;
  if (model::is_porf_acyclic(graph) || !reported_.insert(key(graph, false)).second) return;
  ++(execution.ending == engine::Ending::kComplete ? counts_.complete : counts_.blocked);
  for (engine::Observer* observer : observers_)
    if (!observer->finished(execution)) counts_.stopped = true;
}

/// The graph as a string. `with_order`: and what else the future depends on: which reads were promises, and, where such a
/// read may still turn out to acquire from an RMW's release sequence, what was executed before it.
std::string LoadBuffering::key(const ExecutionGraph& graph, bool with_order) const {
  std::string text;
  const auto add = [&](std::int64_t number) { text.append(reinterpret_cast<const char*>(&number), sizeof number); };
  std::vector<std::vector<Slot>> threads(static_cast<std::size_t>(graph.threads()));
  for (int i = 0; i < graph.size(); ++i) threads[static_cast<std::size_t>(number(graph.event(Slot{i}).thread))].push_back(Slot{i});
  for (const auto& events : threads) {
    add(static_cast<std::int64_t>(events.size()));
    bool has_promise = false;
    for (const Slot slot : events) {
      const Event& event = graph.event(slot);
      has_promise |= event.promised_by != kNoThread;
      if (with_order && has_promise && event.kind != EventKind::kWrite && acquires(event.order))
        for (const auto& others : threads)
          add(std::lower_bound(others.begin(), others.end(), slot) - others.begin());
      add(event.value);
      add(static_cast<std::int64_t>(event.failed_spuriously));
      if (event.kind != EventKind::kRead) continue;
      add(event.rf == kNone ? -2 : number(event.rf) < 0 ? -1 : number(graph.event(event.rf).thread));
      add(number(event.rf) < 0 ? 0 : graph.event(event.rf).index);
      if (with_order) add(number(event.promised_by));
    }
  }
  return text;
}

}  // namespace ordeal::explore
