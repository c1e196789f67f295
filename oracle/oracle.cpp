#include "oracle/oracle.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "oracle/axioms.h"
#include "oracle/program.h"
#include "oracle/relation.h"

namespace ordeal::oracle {
namespace {

using litmus::Value;

/// Thrown where a limit is hit.
struct GaveUp {};

/// A (partial) execution: its events in the order in which they were added, the initial writes first, and where each
/// thread stands.
struct Graph {
  std::vector<Event> events;
  std::vector<Node*> threads;
};

void put(std::string& key, Value value) { key.append(reinterpret_cast<const char*>(&value), sizeof value); }

/// The name of the class of a graph: the same for two graphs iff their threads took the same paths with the same rf.
std::string key_of(const Graph& graph) {
  std::string key;
  for (int thread = 0; thread < static_cast<int>(graph.threads.size()); ++thread) {
    key.push_back('T');
    for (const Event& event : graph.events) {  // those of one thread stand in program order
      if (event.thread != thread) continue;
      key.push_back('E');
      if (!event.reads()) continue;
      key.push_back(event.failed_spuriously ? 'f' : ' ');
      put(key, event.value_read);
      if (event.source >= 0) {
        const Event& source = graph.events[event.source];
        key.push_back(static_cast<char>(source.thread));
        key.push_back(static_cast<char>(source.index));
      } else {
        key.push_back('?');
        key.push_back(static_cast<char>(event.promised_by));
      }
      key.push_back('.');
    }
  }
  return key;
}

class Oracle {
 public:
  Oracle(const litmus::Test& test, const Options& options)
      : test_(test), location_count_(static_cast<int>(test.locations.size())), options_(options), program_(test, options.loop_bound), observables_(test.observables()),
        thin_air_(options.load_buffering && (options.model == Model::kCpp20 || options.model == Model::kRc11)) {}

  Result run() {
    try {
      if (thin_air_) find_promises();
      grow(start(), std::vector<Wait>(program_.thread_count()));
    } catch (const GaveUp&) {
      result_.gave_up = true;
    }
    return std::move(result_);
  }

 private:
  // ---- Graphs ----

  Graph start() {
    Graph graph;
    for (int location = 0; location < location_count_; ++location) {
      Event event;
      event.index = location;
      event.location = location;
      event.value_written = test_.locations[location].initial;
      graph.events.push_back(event);
    }
    for (int thread = 0; thread < program_.thread_count(); ++thread) graph.threads.push_back(program_.start(thread));
    return graph;
  }

  /// The event of the step at `node`, if memory gives that answer; its source, if it reads, is left open.
  static Event make_event(const Node& node, Answer answer) {
    const Step& step = node.step;
    Event event;
    event.thread = node.thread;
    event.index = static_cast<int>(node.answers.size());
    event.location = step.location;
    event.order = step.order;
    event.value_read = answer.value;
    switch (step.kind) {
      case Step::Kind::kLoad: event.kind = Event::Kind::kRead; break;
      case Step::Kind::kStore:
        event.kind = Event::Kind::kWrite;
        event.value_written = step.type.convert(step.operand);
        break;
      case Step::Kind::kRmw:
        event.kind = Event::Kind::kRmw;
        event.value_written = step.type.convert(apply(step.rmw_op, answer.value, step.operand));
        break;
      case Step::Kind::kCompareExchange:
        if (answer.value == step.expected && !answer.fails_spuriously) {
          event.kind = Event::Kind::kRmw;
          event.value_written = step.type.convert(step.operand);
        } else {
          event.kind = Event::Kind::kRead;
          event.order = step.failure_order;
          event.is_failed_compare_exchange = true;
          event.failed_spuriously = answer.fails_spuriously;
        }
        break;
      case Step::Kind::kFence: event.kind = Event::Kind::kFence; break;
      case Step::Kind::kEnd:
      case Step::Kind::kCut: break;
    }
    return event;
  }

  /// The graph with the next event of `thread`; its source, if it reads, is left open.
  Graph extend(const Graph& graph, int thread, Answer answer) {
    if (graph.events.size() == kMaxEvents) throw GaveUp{};
    Graph result = graph;
    result.events.push_back(make_event(*graph.threads[thread], answer));
    result.threads[thread] = program_.next(graph.threads[thread], answer);
    return result;
  }

  /// The answers possible when `step` reads `value`.
  std::vector<Answer> answers(const Step& step, Value value) const {
    std::vector<Answer> result{{value, false}};
    const bool could_succeed = step.kind == Step::Kind::kCompareExchange && value == step.expected;
    if (could_succeed && step.is_weak && options_.spurious) result.push_back({value, true});
    return result;
  }

  /// The graphs in which `thread`, which stands at a read, reads one of the writes that are there (from `first` on).
  void for_each_read(const Graph& graph, int thread, const std::function<void(const Graph&)>& visit, int first = 0) {
    const Step& step = graph.threads[thread]->step;
    for (int source = first; source < static_cast<int>(graph.events.size()); ++source) {
      const Event& write = graph.events[source];
      if (!write.writes() || write.location != step.location) continue;
      for (const Answer answer : answers(step, write.value_written)) {
        Graph more = extend(graph, thread, answer);
        more.events.back().source = source;
        visit(more);
      }
    }
  }

  // ---- Modification orders ----

  using Visit = std::function<bool(const Relation& mo)>;  // returns whether to go on

  void count_candidate() {
    if (++result_.candidates > options_.candidate_limit) throw GaveUp{};
  }

  static Set writes_of(const Graph& graph, int location) {
    Set writes = 0;
    for (int e = 0; e < static_cast<int>(graph.events.size()); ++e)
      if (graph.events[e].writes() && graph.events[e].location == location) writes |= singleton(e);
    return writes;
  }

  /// What every modification order contains: the initial write of a location comes first.
  Relation initial_mo(const Graph& graph) const {
    Relation mo(static_cast<int>(graph.events.size()));
    for (int location = 0; location < location_count_; ++location)
      mo.row[location] = writes_of(graph, location) & ~singleton(location);
    return mo;
  }

  /// Extends `mo` by all total orders of the writes in `rest`, where the axioms allow it: one of them comes first, then
  /// the others. Returns false if a visit wanted to stop.
  bool for_each_order(const Axioms& axioms, const Relation& mo, Set rest, const Visit& visit) {
    if ((rest & (rest - 1)) == 0) return visit(mo);  // one or none
    for (int first = 0; first < mo.size; ++first) {
      if (!contains(rest, first)) continue;
      const Set others = rest & ~singleton(first);
      if ((axioms.never_mo_before(first) & others) != 0) continue;
      const Relation more = mo | product(mo.size, singleton(first), others);
      count_candidate();
      if (!axioms.hold(more)) continue;
      if (!for_each_order(axioms, more, others, visit)) return false;
    }
    return true;
  }

  /// Extends `mo` by total orders of the writes of all locations from `location` on, in all ways that the axioms allow.
  bool for_each_mo(const Axioms& axioms, const Graph& graph, const Relation& mo, int location, const Visit& visit) {
    if (location == location_count_) return visit(mo);
    return for_each_order(axioms, mo, writes_of(graph, location) & ~singleton(location), [&](const Relation& more) {
      return for_each_mo(axioms, graph, more, location + 1, visit);
    });
  }

  /// Whether some modification order that contains `mo` satisfies the axioms.
  bool some_mo(const Axioms& axioms, const Graph& graph, const Relation& mo) {
    count_candidate();
    if (!axioms.hold(mo)) return false;
    const auto found = [](const Relation&) { return false; };
    for (int location = 0; location < location_count_; ++location)
      if (for_each_order(axioms, mo, writes_of(graph, location) & ~singleton(location), found)) return false;
    if (!axioms.couple_locations()) return true;  // then the orders found for each location do together
    return !for_each_mo(axioms, graph, mo, 0, found);
  }

  bool consistent(const Graph& graph) {
    const Axioms axioms(options_.model, thin_air_, graph.events);
    return some_mo(axioms, graph, initial_mo(graph));
  }

  // ---- Executions ----

  /// All executions, each once. The lowest thread that does not wait goes on. A read takes one of the writes that are
  /// there, or waits until another write to its location appears, to take that one or to wait again.
  struct Wait {
    bool waits = false;
    int since = 0;  // it will take a write that is at least this young
  };
  void grow(const Graph& graph, const std::vector<Wait>& waits) {
    const auto is_over = [&](int thread) { return graph.threads[thread]->step.is_over(); };
    int thread = 0;
    while (thread < program_.thread_count() && (is_over(thread) || waits[thread].waits)) ++thread;
    if (thread == program_.thread_count()) {  // none can go on
      thread = 0;
      while (thread < program_.thread_count() && is_over(thread)) ++thread;
      if (thread == program_.thread_count())
        finish(graph);
      else if (thin_air_)  // all that are not over wait for each other
        for_each_promise(graph, thread, [&](const Graph& more) { grow_on(more, waits); });
      return;
    }
    const Step& step = graph.threads[thread]->step;
    if (!step.may_read()) {
      grow_on(extend(graph, thread, {}), waits);
      return;
    }
    for_each_read(graph, thread, [&](const Graph& more) { grow_on(more, waits); }, waits[thread].since);
    std::vector<Wait> later = waits;
    later[thread] = {true, static_cast<int>(graph.events.size())};
    grow(graph, later);
  }

  /// After an event was added, which keeps some of the promises that it can keep, from event `from` on.
  void grow_on(const Graph& graph, std::vector<Wait> waits, int from = 0) {
    const int last = static_cast<int>(graph.events.size()) - 1;
    const Event& event = graph.events[last];
    for (int reader = from; reader < last; ++reader) {
      if (!can_keep(event, graph.events[reader])) continue;
      Graph kept = graph;
      kept.events[reader].source = last;
      kept.events[reader].promised_by = -1;
      grow_on(kept, waits, reader + 1);
    }
    if (!consistent(graph)) return;
    waits[event.thread] = {};
    for (int thread = 0; thread < program_.thread_count(); ++thread)
      if (event.writes() && graph.threads[thread]->step.location == event.location) waits[thread].waits = false;
    grow(graph, waits);
  }

  /// All threads have come to their ends or were cut.
  void finish(const Graph& graph) {
    for (const Event& event : graph.events)
      if (event.promised_by >= 0) return;  // a promise was not kept
    const Axioms axioms(options_.model, thin_air_, graph.events);
    if (axioms.po_and_rf_are_acyclic() || has_execution_order(graph, axioms.hb())) report(graph, axioms);
  }

  /// A complete or cut execution that is consistent.
  void report(const Graph& graph, const Axioms& axioms) {
    if (!reported_.insert(key_of(graph)).second) return;
    if (axioms.racy()) result_.racy = true;
    bool cut = false;
    for (const Node* node : graph.threads) cut = cut || node->step.kind == Step::Kind::kCut;
    std::size_t& count = cut ? result_.blocked : result_.executions;
    if (options_.model == Model::kSc || options_.model == Model::kTso) {
      for_each_mo(axioms, graph, initial_mo(graph), 0, [&](const Relation& mo) {
        ++count;
        if (!cut) add_state(graph, mo);
        return true;
      });
    } else {
      ++count;
      if (!cut) add_states(axioms, graph, initial_mo(graph), 0);
    }
  }

  /// The states of a class: for each choice of the last write of each location, whether some modification order agrees.
  void add_states(const Axioms& axioms, const Graph& graph, const Relation& mo, int location) {
    if (location == location_count_) {
      if (some_mo(axioms, graph, mo)) add_state(graph, mo);
      return;
    }
    count_candidate();
    if (!axioms.hold(mo)) return;
    const Set writes = writes_of(graph, location);
    for (int last = 0; last < mo.size; ++last)
      if (contains(writes, last))
        add_states(axioms, graph, mo | product(mo.size, writes & ~singleton(last), singleton(last)), location + 1);
  }

  void add_state(const Graph& graph, const Relation& mo) {
    const auto value_of = [&](const litmus::Observable& observable) {
      if (observable.thread >= 0) return graph.threads[observable.thread]->variables[observable.index];
      const Set writes = writes_of(graph, observable.index);
      for (int e = 0; e < mo.size; ++e)
        if (contains(writes, e) && (mo.row[e] & writes) == 0) return graph.events[e].value_written;
      return Value{0};
    };
    if (test_.filter && !litmus::holds(*test_.filter, value_of)) return;
    State state;
    for (const auto& observable : observables_) state.push_back(value_of(observable));
    result_.states.insert(state);
  }

  // ---- Load buffering ----

  // An execution with a cycle in po ∪ rf is allowed iff the axioms but "no thin air" hold, and its events can be executed
  // one after the other so that each read finds its write or gets a certified promise: has_execution_order, below, is
  // that definition. The promises that `grow` makes are only guesses that lead to candidates: they come late, where
  // nothing else is possible, and are not certified.

  using Values = std::map<int, std::set<Value>>;  // by location

  /// The graphs in which `thread`, which stands at a read, gets the promise of another thread.
  void for_each_promise(const Graph& graph, int thread, const std::function<void(const Graph&)>& visit) {
    const Step& step = graph.threads[thread]->step;
    for (int promiser = 0; promiser < program_.thread_count(); ++promiser) {
      if (promiser == thread || graph.threads[promiser]->step.is_over()) continue;
      for (const Value value : promises_[promiser][step.location])
        for (const Answer answer : answers(step, value)) {
          Graph more = extend(graph, thread, answer);
          more.events.back().promised_by = promiser;
          visit(more);
        }
    }
  }

  static bool can_keep(const Event& write, const Event& read) {
    return write.writes() && read.promised_by >= 0 && read.promised_by == write.thread &&
           read.location == write.location && read.value_read == write.value_written;
  }

  /// Finds at least all values that a thread can write in an execution or to certify a promise.
  ///
  /// A thread run with readable values writes values, which are then readable. Where this never ends (x = y+1 ∥ y = x+1),
  /// twice the number of events is enough: executing an event makes new values readable at most once, and so does
  /// certifying a promise for it.
  void find_promises() {
    Values readable;
    for (int location = 0; location < location_count_; ++location)
      readable[location].insert(test_.locations[location].initial);
    promises_.resize(program_.thread_count());
    for (std::size_t round = 0, events = 0; round <= 2 * events; ++round) {
      events = 0;
      for (int thread = 0; thread < program_.thread_count(); ++thread)
        events += find_values(program_.start(thread), readable, promises_[thread]);
      const Values before = readable;
      for (const Values& values : promises_)
        for (const auto& [location, written] : values) readable[location].insert(written.begin(), written.end());
      if (readable == before) return;
    }
  }

  /// Adds what a thread can write from a node on; returns how many events it has at most.
  std::size_t find_values(Node* node, const Values& readable, Values& written) {
    count_candidate();
    const Step& step = node->step;
    if (step.is_over()) return node->answers.size();
    std::size_t events = 0;
    const auto go_on = [&](Answer answer) {
      const Event event = make_event(*node, answer);
      Values more = readable;  // with its own writes
      if (event.writes()) {
        more[event.location].insert(event.value_written);
        written[event.location].insert(event.value_written);
      }
      events = std::max(events, find_values(program_.next(node, answer), more, written));
    };
    if (!step.may_read()) {
      go_on({});
    } else {
      for (const Value value : readable.at(step.location))
        for (const Answer answer : answers(step, value)) go_on(answer);
    }
    return events;
  }

  using Write = std::pair<int, Value>;  // location, value

  /// What `thread` can write if it runs alone from here, reads only what is there, and each step is consistent.
  const std::set<Write>& certified(const Graph& graph, int thread) {
    const auto [place, is_new] = certified_.try_emplace(key_of(graph) + static_cast<char>(thread));
    if (is_new) run_alone(graph, thread, place->second);
    return place->second;
  }

  void run_alone(const Graph& graph, int thread, std::set<Write>& writes) {
    const Step& step = graph.threads[thread]->step;
    const auto go_on = [&](const Graph& more) {
      if (!consistent(more)) return;
      const Event& event = more.events.back();
      if (event.writes()) writes.insert({event.location, event.value_written});
      run_alone(more, thread, writes);
    };
    if (step.is_over()) return;
    if (!step.may_read()) return go_on(extend(graph, thread, {}));
    for_each_read(graph, thread, go_on);
  }

  /// Whether the events of the complete graph can be executed in some order that respects hb, so that each read either
  /// finds its write or gets a promise that is certified at that point.
  bool has_execution_order(const Graph& graph, const Relation& hb) {
    std::unordered_set<Set> dead_ends;
    return has_execution_order(graph, hb, all_events(location_count_), dead_ends);
  }

  /// The same for the events that are not in `done`.
  bool has_execution_order(const Graph& graph, const Relation& hb, Set done, std::unordered_set<Set>& dead_ends) {
    const int size = static_cast<int>(graph.events.size());
    if (done == all_events(size)) return true;
    if (dead_ends.contains(done)) return false;
    const Relation after = inverse(hb);
    for (int e = 0; e < size; ++e) {
      if (contains(done, e) || (after.row[e] & ~done) != 0) continue;
      const Event& event = graph.events[e];
      if (event.reads() && !contains(done, event.source)) {
        const int promiser = graph.events[event.source].thread;
        if (!certified(part(graph, done), promiser).contains({event.location, event.value_read})) continue;
      }
      if (has_execution_order(graph, hb, done | singleton(e), dead_ends)) return true;
    }
    dead_ends.insert(done);
    return false;
  }

  /// The partial graph with the events in `done`: a read whose write is not among them has a promise.
  Graph part(const Graph& graph, Set done) {
    Graph result = start();
    std::vector<int> renamed(graph.events.size(), -1);
    for (int e = 0; e < static_cast<int>(graph.events.size()); ++e) {
      if (!contains(done, e)) continue;
      const Event& event = graph.events[e];
      if (event.is_initial()) {
        renamed[e] = e;
        continue;
      }
      renamed[e] = static_cast<int>(result.events.size());
      result.events.push_back(event);
      result.threads[event.thread] =
          program_.next(result.threads[event.thread], {event.value_read, event.failed_spuriously});
    }
    for (Event& event : result.events) {
      if (!event.reads()) continue;
      const Event& source = graph.events[event.source];
      event.source = renamed[event.source];
      event.promised_by = event.source < 0 ? source.thread : -1;
    }
    return result;
  }

  const litmus::Test& test_;
  const int location_count_;
  const Options& options_;
  Program program_;
  std::vector<litmus::Observable> observables_;
  const bool thin_air_;  // the axiom "no thin air" is left out
  Result result_;
  std::unordered_set<std::string> reported_;                        // classes
  std::vector<Values> promises_;                                    // what each thread might promise
  std::unordered_map<std::string, std::set<Write>> certified_;      // by partial graph and thread
};

}  // namespace

Result run(const litmus::Test& test, const Options& options) { return Oracle(test, options).run(); }

}  // namespace ordeal::oracle
