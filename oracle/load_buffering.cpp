#include "oracle/load_buffering.h"

#include "oracle/axioms.h"
#include "oracle/oracle.h"

namespace ordeal::oracle {

using litmus::Value;

// ---- The definition ----

bool LoadBuffering::is_allowed(const Graph& graph) {
  const Axioms axioms(Model::kCpp20, /*thin_air=*/true, graph.events);  // po, rf and hb are the same in all models
  std::unordered_set<Set> dead_ends;
  return has_execution_order(graph, axioms.hb(), all_events(graphs_.location_count()), dead_ends);
}

/// Whether the events that are not in `done` can be executed.
bool LoadBuffering::has_execution_order(const Graph& graph, const Relation& hb, Set done,
                                        std::unordered_set<Set>& dead_ends) {
  if (done == all_events(graph.size())) return true;
  if (dead_ends.contains(done)) return false;
  const Relation hb_before = inverse(hb);
  for (int e = 0; e < graph.size(); ++e) {
    if (contains(done, e) || (hb_before.row[e] & ~done) != 0) continue;
    const Event& event = graph.events[e];
    if (event.reads() && !contains(done, event.source)) {
      const int promiser = graph.events[event.source].thread;
      if (!certified(graphs_.part(graph, done), promiser).contains({event.location, event.value_read})) continue;
    }
    if (has_execution_order(graph, hb, done | singleton(e), dead_ends)) return true;
  }
  dead_ends.insert(done);
  return false;
}

/// What `thread` can write if it runs alone from here.
const std::set<LoadBuffering::Write>& LoadBuffering::certified(const Graph& graph, int thread) {
  const auto [place, is_new] = certified_.try_emplace(graph.key() + static_cast<char>(thread));
  if (is_new) run_alone(graph, thread, place->second);
  return place->second;
}

void LoadBuffering::run_alone(const Graph& graph, int thread, std::set<Write>& writes) {
  const Step& step = graph.threads[thread]->step;
  const auto go_on = [&](const Graph& more) {
    if (!consistent_(more)) return;
    const Event& event = more.events.back();
    if (event.writes()) writes.insert({event.location, event.value_written});
    run_alone(more, thread, writes);
  };
  if (step.is_over()) return;
  if (step.may_read())
    graphs_.for_each_read(graph, thread, 0, go_on);
  else
    go_on(graphs_.extend(graph, thread, {}));
}

// ---- Candidates ----
//
// Follow an order of execution of an allowed graph, with these differences, which lose nothing:
//  - a store or fence is added at once when its thread comes to it. More writes are there then, so a read that had a
//    promise may find its write instead;
//  - a promise is not certified: any value will do that its thread has written, or would write if it could read all
//    values that are there;
//  - the reads behind the last write of a thread come last, in the order of the threads. No other thread depends on
//    them, and all their writes are there then.

void LoadBuffering::run() {
  Graph graph = graphs_.start();
  for (int thread = 0; thread < graphs_.thread_count(); ++thread)
    while (!graph.threads[thread]->step.is_over() && !graph.threads[thread]->step.may_read())
      graph = graphs_.extend(graph, thread, {});
  search(graph);
}

/// Goes on from a consistent graph whose threads all stand at a read or are over.
void LoadBuffering::search(const Graph& graph) {
  for (const Event& event : graph.events)
    if (event.promised_by >= 0 && graph.threads[event.promised_by]->step.is_over()) return;  // it will not be kept
  const bool only_reads = only_reads_are_left(graph);
  bool all_over = true;
  for (int thread = 0; thread < graphs_.thread_count(); ++thread) {
    if (graph.threads[thread]->step.is_over()) continue;
    if (only_reads && !all_over) continue;  // the lowest goes first
    all_over = false;
    graphs_.for_each_read(graph, thread, 0, [&](const Graph& more) {
      if (!only_reads || !more.events.back().writes()) add(more, 0);
    });
    if (!only_reads) promise(graph, thread);
  }
  if (!all_over) return;
  const Axioms axioms(Model::kCpp20, /*thin_air=*/true, graph.events);
  if (!axioms.po_and_rf_are_acyclic() && is_allowed(graph)) report_(graph);
}

/// Goes on from a graph whose last event is new. It keeps some of the promises that it can keep, from event
/// `first_reader` on.
void LoadBuffering::add(const Graph& graph, int first_reader) {
  const int last = graph.size() - 1;
  const Event& write = graph.events[last];
  for (int reader = first_reader; write.writes() && reader < last; ++reader) {
    const Event& read = graph.events[reader];
    if (read.promised_by < 0 || read.promised_by != write.thread) continue;
    if (read.location != write.location || read.value_read != write.value_written) continue;
    Graph kept = graph;
    kept.events[reader].source = last;
    kept.events[reader].promised_by = -1;
    add(kept, reader + 1);
  }
  if (!seen_.insert(graph.key()).second || !consistent_(graph)) return;
  const Step& step = graph.threads[write.thread]->step;
  if (step.is_over() || step.may_read())
    search(graph);
  else if (step.kind == Step::Kind::kFence || !only_reads_are_left(graph))
    add(graphs_.extend(graph, write.thread, {}), 0);
}

/// Goes on with a promise for `thread`, which stands at a read.
void LoadBuffering::promise(const Graph& graph, int thread) {
  const Step& step = graph.threads[thread]->step;
  for (int promiser = 0; promiser < graphs_.thread_count(); ++promiser) {
    if (promiser == thread) continue;
    const std::set<Value> values = might_write(graph, promiser)[step.location];
    for (const Value value : values)
      for (const Answer answer : graphs_.answers(step, value)) {
        Graph more = graphs_.extend(graph, thread, answer);
        more.events.back().promised_by = promiser;
        add(more, 0);
      }
  }
}

/// Whether a thread is over that has read something behind its last write.
bool LoadBuffering::only_reads_are_left(const Graph& graph) const {
  for (int thread = 0; thread < graphs_.thread_count(); ++thread) {
    bool reads_last = false;
    for (const Event& event : graph.events)
      if (event.thread == thread && !event.is_fence()) reads_last = !event.writes();
    if (reads_last && graph.threads[thread]->step.is_over()) return true;
  }
  return false;
}

LoadBuffering::Values LoadBuffering::might_write(const Graph& graph, int thread) {
  Values readable, written;
  for (const Event& event : graph.events) {
    if (event.writes()) readable[event.location].insert(event.value_written);
    if (event.writes() && event.thread == thread) written[event.location].insert(event.value_written);
  }
  might_write(graph.threads[thread], readable, written);
  return written;
}

/// Adds what a thread writes from a node on.
void LoadBuffering::might_write(Node* node, const Values& readable, Values& written) {
  budget_.spend();
  const Step& step = node->step;
  const auto go_on = [&](Answer answer) {
    const Event event = make_event(*node, answer);
    Values more = readable;  // and its own writes
    if (event.writes()) {
      more[event.location].insert(event.value_written);
      written[event.location].insert(event.value_written);
    }
    might_write(graphs_.next(node, answer), more, written);
  };
  if (step.is_over()) return;
  if (!step.may_read()) return go_on({});
  for (const Value value : readable.at(step.location))
    for (const Answer answer : graphs_.answers(step, value)) go_on(answer);
}

}  // namespace ordeal::oracle
