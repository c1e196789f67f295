#include "oracle/oracle.h"

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
      : test_(test), location_count_(static_cast<int>(test.locations.size())), options_(options), program_(test, options.loop_bound), observables_(test.observables()) {}

  Result run() {
    try {
      grow(start(), std::vector<Wait>(program_.thread_count()));
      const bool thin_air_is_an_axiom = options_.model == Model::kCpp20 || options_.model == Model::kRc11;
      if (options_.load_buffering && thin_air_is_an_axiom) {
        thin_air_ = true;
        promise(run_to_reads(start()));
      }
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

  /// All executions without thin air, each once. The lowest thread that does not wait goes on. A read takes one of the
  /// writes that are there, or waits until another write to its location appears, to take that one or to wait again.
  struct Wait {
    bool waits = false;
    int since = 0;  // it will take a write that is at least this young
  };
  void grow(const Graph& graph, const std::vector<Wait>& waits) {
    int thread = 0;
    while (thread < program_.thread_count() && (waits[thread].waits || graph.threads[thread]->step.is_over())) ++thread;
    if (thread == program_.thread_count()) {
      bool all_over = true;
      for (const Node* node : graph.threads) all_over = all_over && node->step.is_over();
      if (all_over) report(graph);
      return;  // else someone waits for ever
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

  /// After an event was added.
  void grow_on(const Graph& graph, std::vector<Wait> waits) {
    if (!consistent(graph)) return;
    const Event& event = graph.events.back();
    waits[event.thread] = {};
    for (int thread = 0; thread < program_.thread_count(); ++thread)
      if (event.writes() && graph.threads[thread]->step.location == event.location) waits[thread].waits = false;
    grow(graph, waits);
  }

  /// A complete or cut execution that is consistent.
  void report(const Graph& graph) {
    if (!reported_.insert(key_of(graph)).second) return;
    const Axioms axioms(options_.model, thin_air_, graph.events);
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
  // that definition. What comes before it only has to produce enough candidates.

  /// Produces consistent graphs with a cycle. Reads come in any order; stores and fences follow at once. A read takes a
  /// write that is there, or the promise of a value that another thread might write; a later write of that thread keeps it.
  void promise(const Graph& graph) {
    bool all_over = true;
    const bool last = only_reads_are_left(graph);
    for (int thread = 0; thread < program_.thread_count(); ++thread) {
      const Step& step = graph.threads[thread]->step;
      if (step.is_over()) continue;
      all_over = false;
      for_each_read(graph, thread, [&](const Graph& more) { if (!last || !more.events.back().writes()) keep_promises(more, 0); });
      if (last) break;
      for (int promiser = 0; promiser < program_.thread_count(); ++promiser) {
        if (promiser == thread) continue;
        const Values values = might_write(graph, promiser);
        const auto promised = values.find(step.location);
        if (promised == values.end()) continue;
        for (const Value value : promised->second)
          for (const Answer answer : answers(step, value)) {
            Graph more = extend(graph, thread, answer);
            more.events.back().promised_by = promiser;
            keep_promises(more, 0);
          }
      }
    }
    if (!all_over) return;
    const Axioms axioms(options_.model, thin_air_, graph.events);
    if (axioms.po_and_rf_are_acyclic()) return;  // an ordinary execution
    std::unordered_set<Set> dead_ends;
    if (has_execution_order(graph, axioms.hb(), all_events(location_count_), dead_ends)) report(graph);
  }

  bool promises_can_be_kept(const Graph& graph) {
    for (std::size_t reader = 0; reader < graph.events.size(); ++reader) {
      const Event& read = graph.events[reader];
      if (read.promised_by < 0) continue;
      if (graph.events.size() == kMaxEvents) throw GaveUp{};
      const Node& promiser = *graph.threads[read.promised_by];
      if (promiser.step.is_over()) return false;
      Event write;
      write.thread = read.promised_by;
      write.index = static_cast<int>(promiser.answers.size());
      write.location = read.location;
      Graph kept = graph;
      kept.events[reader].source = static_cast<int>(graph.events.size());
      kept.events.push_back(write);
      if (!consistent(kept)) return false;
    }
    return true;
  }

  bool only_reads_are_left(const Graph& graph) const {
    for (int thread = 0; thread < program_.thread_count(); ++thread) {
      if (!graph.threads[thread]->step.is_over()) continue;
      bool suffix = false;
      for (const Event& event : graph.events) {
        if (event.thread != thread) continue;
        if (event.reads()) suffix = true;
        if (event.writes()) suffix = false;
      }
      if (suffix) return true;
    }
    return false;
  }

  /// Adds the stores and fences that come before the first reads.
  Graph run_to_reads(Graph graph) {
    for (int thread = 0; thread < program_.thread_count(); ++thread)
      while (!graph.threads[thread]->step.is_over() && !graph.threads[thread]->step.may_read())
        graph = extend(graph, thread, {});
    return graph;
  }

  /// The last event of the graph keeps some of the promises that it can keep, from event `from` on; then goes on.
  void keep_promises(const Graph& graph, int from) {
    const int last = static_cast<int>(graph.events.size()) - 1;
    const Event& write = graph.events[last];
    for (int reader = from; write.writes() && reader < last; ++reader) {
      const Event& event = graph.events[reader];
      const bool is_open = event.promised_by >= 0 && event.promised_by == write.thread;
      if (!is_open || event.location != write.location || event.value_read != write.value_written) continue;
      Graph kept = graph;
      kept.events[reader].source = last;
      kept.events[reader].promised_by = -1;
      keep_promises(kept, reader + 1);
    }
    if (!seen_.insert(key_of(graph)).second || !consistent(graph) || !promises_can_be_kept(graph)) return;
    const Step& step = graph.threads[write.thread]->step;
    if (step.is_over() || step.may_read())
      promise(graph);
    else if (step.kind == Step::Kind::kFence || !only_reads_are_left(graph))
      keep_promises(extend(graph, write.thread, {}), 0);
  }

  using Values = std::map<int, std::set<Value>>;  // by location

  /// At least all that `thread` has written or can write if it runs alone and reads only writes that are there.
  Values might_write(const Graph& graph, int thread) {
    Values readable, written;
    for (const Event& event : graph.events) {
      if (event.writes()) readable[event.location].insert(event.value_written);
      if (event.writes() && event.thread == thread) written[event.location].insert(event.value_written);
    }
    might_write(graph.threads[thread], readable, written);
    return written;
  }

  void might_write(Node* node, const Values& readable, Values& written) {
    const Step& step = node->step;
    count_candidate();
    const auto go_on = [&](Answer answer) {
      const Event event = make_event(*node, answer);
      Values more = readable;
      if (event.writes()) {
        more[event.location].insert(event.value_written);
        written[event.location].insert(event.value_written);
      }
      might_write(program_.next(node, answer), more, written);
    };
    if (step.is_over()) return;
    if (!step.may_read()) return go_on({});
    for (const Value value : readable.at(step.location))
      for (const Answer answer : answers(step, value)) go_on(answer);
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

  /// Whether the events of the complete graph that are not in `done` can be executed in some order that respects hb, so
  /// that each read either finds its write or gets a promise that is certified at that point.
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
  bool thin_air_ = false;  // the axiom "no thin air" is left out
  Result result_;
  std::unordered_set<std::string> reported_;                        // classes
  std::unordered_set<std::string> seen_;                            // partial graphs with promises
  std::unordered_map<std::string, std::set<Write>> certified_;      // by partial graph and thread
};

}  // namespace

Result run(const litmus::Test& test, const Options& options) { return Oracle(test, options).run(); }

}  // namespace ordeal::oracle
