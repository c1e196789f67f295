#include "engine/follower.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "engine/not_deterministic.h"

namespace ordeal::engine {

using model::Event;
using model::EventKind;
using model::ExecutionGraph;
using model::kNone;
using model::number;
using model::Slot;

namespace {

/// The read of an RMW is completed by the write behind it; an attempt completes nothing.
bool completes_operation(const Event& event) {
  return event.kind == EventKind::kRead ? !event.is_rmw : event.kind != EventKind::kAttempt;
}

/// The thread must ask for what it asked for when the event was made. This is looked at for every event of every execution.
bool is_same(const Operation& operation, const Event& event) {
  static_assert(offsetof(Access, await) == 7 && offsetof(Access, thread) == 8 && sizeof(Access) == 40, "no padding: they are compared byte by byte");
  if (operation.kind >= OperationKind::kFinish) return false;
  if (std::memcmp(&operation.access, &event.access, sizeof(Access)) == 0) return true;
  if (operation.access.await != model::Await::kUseful && event.access.await != model::Await::kUseful) return false;
  // Which values are known to be useless does not matter for what has been read.
  Access access = operation.access;
  access.await = event.access.await;
  access.other = event.access.other;
  access.is_weak = event.access.is_weak;
  return std::memcmp(&access, &event.access, sizeof(Access)) == 0;
}

/// What the event read, if that was the initial write.
Value initial_read(const ExecutionGraph& graph, const Event& event) {
  return event.kind == EventKind::kWrite ? graph.event(event.previous).value : event.value;
}

/// What the thread gets for its operation, of which `last` is the last event.
Result result_of(const ExecutionGraph& graph, ThreadId thread, Slot last) {
  const Event& event = graph.event(last);
  const bool is_rmw_write = event.kind == EventKind::kWrite && event.is_rmw;
  const Event& read = is_rmw_write ? graph.event(event.previous) : event;
  Result result;
  result.value = read.value;
  result.succeeded = !may_fail(event.access) || is_rmw_write;
  result.is_initial = number(read.rf) < 0;
  if (read.rf != kNone && event.location != model::kNoLocation) {
    const Event& write = graph.event(read.rf);
    result.source = model::is_initial(read.rf) ? 0 : (std::int64_t{number(write.thread)} + 1) << 32 | write.index;
    result.has_later = graph.last_write(event.location) != kNone && graph.last_write(event.location) != read.rf;
  }
  result.next_is_known = graph.last_of(thread) != last;
  result.width = graph.width();
  result.hb = graph.row(last, model::Row::kHb);
  result.porf = graph.row(last, model::Row::kPorf);
  return result;
}

}  // namespace

/// What was read from the initial write must still be there at first.
bool Follower::has_same_initial(const ExecutionGraph& graph, const Event& event) const {
  return !model::is_initial(event.rf) || event.location == model::kNoLocation ||
         initial_read(graph, event) == program_.initial_value(event.location);
}

void Follower::require_same(const ExecutionGraph& graph, const Event& event, const Operation& operation) const {
  if (!is_same(operation, event)) throw NotDeterministic(event.access, operation);
  if (has_same_initial(graph, event)) return;
  NotDeterministic difference(event.access, operation);
  difference.differs_at_first = true;
  difference.value_before = initial_read(graph, event);
  difference.value_now = program_.initial_value(event.location);
  throw difference;
}

void Follower::declare(ExecutionGraph& graph) {
  program_.begin();
  const int threads = program_.initial_threads();
  if (threads > 0) graph.declare_thread(ThreadId{threads - 1});
  for (int l = 0; l < program_.locations(); ++l) graph.declare_location(LocationId{l}, program_.initial_value(LocationId{l}));
  const std::size_t size = program_.checkpoint_size();
  graph.set_payload_size(size);
  initial_.resize(size * static_cast<std::size_t>(threads));
  for (int t = 0; size > 0 && t < threads; ++t) program_.save(ThreadId{t}, initial_.data() + size * static_cast<std::size_t>(t));
  is_current_.assign(static_cast<std::size_t>(graph.threads()), 1);
}

void Follower::lose_track(ExecutionGraph& graph) {
  is_current_.assign(static_cast<std::size_t>(graph.threads()), 0);
  if (program_.checkpoint_size() == 0) run_again(graph);
}

/// From the last milestone that the execution comes by, or from its start.
void Follower::run_again(ExecutionGraph& graph) {
  const int passed = milestones_.passed(graph, program_.milestones());
  milestone_slot_ = milestones_.place_to_keep(graph, Milestones::kOrdinaryCost + program_.extra_cost_of_keeping());
  if (passed == 0 && milestone_slot_ == 0) return run_again_from_start(graph);
  if (passed > 0) program_.go_back(passed - 1);
  else program_.begin();
  next_slot_ = milestones_.last();
  try {
    follow(graph);
  } catch (const NotDeterministic&) {
    milestones_.note_failure();
    run_again_from_start(graph);
  }
}

void Follower::run_again_from_start(ExecutionGraph& graph) {
  milestone_slot_ = 0;
  program_.begin();
  next_slot_ = 0;
  follow(graph);
}

/// For the first milestone all threads are brought to their next operation. What they do before it depends on nobody else, unless
/// there is a data race, which another thread may find then than without a milestone.
void Follower::keep_milestone(ExecutionGraph& graph) {
  const int before = program_.milestones();
  for (int t = 0; before == 0 && t < graph.threads(); ++t) {
    const Slot creation = graph.creation_of(ThreadId{t});
    if (t == 0 || (creation != kNone && number(creation) < next_slot_)) program_.next(ThreadId{t});
  }
  milestone_slot_ = 0;
  if (program_.keep(before)) milestones_.note_kept(graph, next_slot_);
}

void Follower::may_come_back(ExecutionGraph& graph, int events, int times) {
  if (times == 0 || program_.checkpoint_size() != 0) return;
  if (!milestones_.is_worth_keeping(events, times, Milestones::kOrdinaryCost + program_.extra_cost_of_keeping())) return;
  if (program_.keep(program_.milestones())) milestones_.note_kept(graph, events);
}

/// The program, which stands before `next_slot_`, goes on to the end of the graph.
void Follower::follow(ExecutionGraph& graph) {
  struct Known {
    Known(Program& program_in, KnownResults* results) : program(program_in) { program.set_known_results(results); }
    ~Known() { program.set_known_results(nullptr); }
    Program& program;
  };
  std::fill(is_current_.begin(), is_current_.end(), 1);
  again_ = &graph;
  const Known known(program_, this);
  while (next_slot_ < graph.size()) {
    if (next_slot_ == milestone_slot_ && milestone_slot_ != 0) keep_milestone(graph);
    const Slot slot{next_slot_};
    const Event& event = graph.event(slot);
    if (!completes_operation(event)) {
      ++next_slot_;
      continue;
    }
    latest_ = kNone;
    const Operation& operation = program_.next(event.thread);
    if (latest_ != kNone) {  // it had not begun yet, and went on at once
      note_where_it_stands(graph, event.thread);
      continue;
    }
    ++next_slot_;
    require_same(graph, event, operation);
    // A thread without any operation has no event that would let it run; what it did must be there when it has been joined.
    if (event.kind == EventKind::kJoin) program_.next(event.access.other);
    completed(graph, event.thread, slot);
  }
}

/// The thread that runs has come to its next operation. If that is the next in the graph too, there is no need to stop. (What
/// is not as before is left to the loop above, which tells what differs.)
bool Follower::next_is(ThreadId thread, const Operation& operation, Result& result) {
  ExecutionGraph& graph = *again_;
  if (next_slot_ == milestone_slot_ && milestone_slot_ != 0) return false;
  while (next_slot_ < graph.size() && !completes_operation(graph.event(Slot{next_slot_})))
    if (++next_slot_ == milestone_slot_) return false;
  if (next_slot_ == graph.size()) return false;
  const Event& event = graph.event(Slot{next_slot_});
  if (event.thread != thread) return false;
  if (event.kind == EventKind::kJoin && graph.count_of(event.access.other) == 0) return false;  // that thread may not have run yet
  if (!is_same(operation, event) || !has_same_initial(graph, event)) return false;
  if (latest_ != kNone) graph.event(latest_).ends_thread = graph.event(latest_).blocks_thread = false;
  latest_ = Slot{next_slot_++};
  result = result_of(graph, thread, latest_);
  return true;
}

namespace {

bool stops_at_bug(const Operation& operation) { return operation.kind == OperationKind::kBlock && operation.cut == Cut::kBug; }

}  // namespace

/// Who comes second to a race stops there. Run again, that may be the other thread, or at another place: if both runs had a bug, those that stop at one are not compared.
void Follower::repeat(ExecutionGraph& graph) {
  if (program_.checkpoint_size() != 0) return;
  std::vector<Operation> last;  // where each thread stands
  for (int t = 0; t < graph.threads(); ++t) last.push_back(has_started(graph, ThreadId{t}) ? next(graph, ThreadId{t}) : Operation{});
  const bool had_bug = std::any_of(last.begin(), last.end(), stops_at_bug);
  try {
    run_again_from_start(graph);
  } catch (const NotDeterministic& difference) {
    if (had_bug && stops_at_bug(difference.now)) return;
    throw;
  }
  bool has_bug = false;
  for (int t = 0; t < graph.threads(); ++t) has_bug |= has_started(graph, ThreadId{t}) && stops_at_bug(next(graph, ThreadId{t}));
  for (int t = 0; t < graph.threads(); ++t) {
    if (!has_started(graph, ThreadId{t})) continue;
    const Operation &now = next(graph, ThreadId{t}), &before = last[static_cast<std::size_t>(t)];
    // Run again, a thread may take another turn before its loop is recognised.
    if (before.kind == OperationKind::kBlock && (before.cut == Cut::kSpin || before.cut == Cut::kRedundant)) continue;
    if (had_bug && has_bug && (stops_at_bug(before) || stops_at_bug(now))) continue;
    if (now.kind != before.kind) throw NotDeterministic(before.access, now);
  }
}

const Operation& Follower::next(ExecutionGraph& graph, ThreadId thread) {
  if (is_current_[static_cast<std::size_t>(number(thread))] == 0) bring_up_to_date(graph, thread);
  return program_.next(thread);
}

/// Restores the last checkpoint of the thread, then lets it run through the operations behind it.
void Follower::bring_up_to_date(ExecutionGraph& graph, ThreadId thread) {
  const Slot last = graph.last_of(thread);
  Slot saved = last;
  while (saved != kNone && !graph.event(saved).has_payload) saved = graph.event(saved).previous;
  program_.restore(thread, saved != kNone ? graph.payload(saved)
                                          : initial_.data() + program_.checkpoint_size() * static_cast<std::size_t>(number(thread)));
  is_current_[static_cast<std::size_t>(number(thread))] = 1;
  if (saved == last) return;
  // Seldom more than one: the operation whose read was revisited.
  behind_.clear();
  for (Slot at = last; at != saved; at = graph.event(at).previous) behind_.push_back(at);
  for (; !behind_.empty(); behind_.pop_back()) {
    if (!completes_operation(graph.event(behind_.back()))) continue;
    program_.next(thread);
    completed(graph, thread, behind_.back());
  }
}

void Follower::completed(ExecutionGraph& graph, ThreadId thread, Slot last, bool next_is_known) {
  latest_ = last;
  Result result = result_of(graph, thread, last);
  result.next_is_known |= next_is_known;
  program_.resume(thread, result);  // may go on to a later event: next_is
  note_where_it_stands(graph, thread);
  if (graph.payload_size() == 0) return;
  program_.save(thread, graph.payload(last));
  graph.event(last).has_payload = true;
}

/// Behind `latest_`.
void Follower::note_where_it_stands(ExecutionGraph& graph, ThreadId thread) {
  const OperationKind next = program_.next(thread).kind;
  graph.event(latest_).ends_thread = next == OperationKind::kFinish;
  graph.event(latest_).blocks_thread = next == OperationKind::kBlock;
}

bool Follower::has_started(const ExecutionGraph& graph, ThreadId thread) const {
  if (number(thread) < program_.initial_threads()) return true;
  return number(thread) < graph.threads() && graph.creation_of(thread) != kNone;
}

bool Follower::has_ended(ExecutionGraph& graph, ThreadId thread) {
  if (!has_started(graph, thread)) return false;
  const Slot last = graph.last_of(thread);
  // A revisited read does not know yet whether it is the last; a thread without any operation has ended when it starts.
  if (last != kNone && (graph.event(last).ends_thread || graph.event(last).has_payload)) return graph.event(last).ends_thread;
  return next(graph, thread).kind == OperationKind::kFinish;
}

void Follower::declare_new(ExecutionGraph& graph, const Operation& operation) {
  // What a location holds at first may depend on the execution (it is initialised by plain writes).
  if (operation.access.location != model::kNoLocation && number(operation.access.location) < graph.locations())
    graph.event(model::initial_write(operation.access.location)).value = program_.initial_value(operation.access.location);
  // Another graph may have come across locations between these, so all are declared.
  for (int l = graph.locations(); l <= number(operation.access.location); ++l)
    graph.declare_location(LocationId{l}, program_.initial_value(LocationId{l}));
  if (operation.kind == OperationKind::kCreate && number(operation.access.other) >= graph.threads()) {
    graph.declare_thread(operation.access.other);
    is_current_.resize(static_cast<std::size_t>(graph.threads()), 1);
  }
}

}  // namespace ordeal::engine
