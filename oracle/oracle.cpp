#include "oracle/oracle.h"

#include <stdexcept>
#include <string>
#include <unordered_set>
#include <utility>

#include "oracle/axioms.h"
#include "oracle/graph.h"
#include "oracle/load_buffering.h"
#include "oracle/modification_order.h"
#include "oracle/relation.h"

namespace ordeal::oracle {
namespace {

using litmus::Value;

class Oracle {
 public:
  Oracle(const litmus::Test& test, const Options& options)
      : test_(test),
        options_(options),
        observables_(test.observables()),
        graphs_(test, options),
        budget_(options.candidate_limit) {}

  Result run() {
    const bool thin_air_is_an_axiom = options_.model == Model::kCpp20 || options_.model == Model::kRc11;
    try {
      grow(graphs_.start(), std::vector<Wait>(graphs_.thread_count()));
      if (options_.load_buffering && thin_air_is_an_axiom) {
        thin_air_ = true;
        LoadBuffering(
            graphs_, budget_, [&](const Graph& graph) { return consistent(graph); },
            [&](const Graph& graph) { report(graph); })
            .run();
      }
    } catch (const GaveUp&) {
      result_.gave_up = true;
    }
    result_.candidates = budget_.spent();
    return std::move(result_);
  }

 private:
  // ---- All executions without thin air ----

  /// Every execution is grown along one order of its events: the lowest thread that does not wait goes on; a read takes
  /// one of the writes that are there, or waits until another write to its location appears, to take that one or to
  /// wait again.
  struct Wait {
    bool waits = false;
    int since = 0;  // it will take a write that is at least this young
  };

  void grow(const Graph& graph, const std::vector<Wait>& waits) {
    const auto is_over = [&](int thread) { return graph.threads[thread]->step.is_over(); };
    int thread = 0;
    bool all_over = true;
    for (; thread < graphs_.thread_count() && (is_over(thread) || waits[thread].waits); ++thread)
      all_over = all_over && is_over(thread);
    if (thread == graphs_.thread_count()) {
      if (all_over) report(graph);
      return;  // or one waits for ever
    }
    if (!graph.threads[thread]->step.may_read()) {
      grow_on(graphs_.extend(graph, thread, {}), waits);
      return;
    }
    graphs_.for_each_read(graph, thread, waits[thread].since, [&](const Graph& more) { grow_on(more, waits); });
    std::vector<Wait> later = waits;
    later[thread] = {true, graph.size()};
    grow(graph, later);
  }

  /// The last event of the graph is new.
  void grow_on(const Graph& graph, std::vector<Wait> waits) {
    if (!consistent(graph)) return;
    const Event& event = graph.events.back();
    waits[event.thread] = {};
    for (int thread = 0; thread < graphs_.thread_count(); ++thread)
      if (event.writes() && graph.threads[thread]->step.location == event.location) waits[thread].waits = false;
    grow(graph, waits);
  }

  bool consistent(const Graph& graph) {
    const Axioms axioms(options_.model, thin_air_, graph.events);
    ModificationOrders orders(axioms, graph, graphs_.location_count(), budget_);
    return orders.exists(orders.initial());
  }

  // ---- Results ----

  /// A consistent execution, complete or cut.
  void report(const Graph& graph) {
    if (!reported_.insert(graph.key()).second) return;
    const Axioms axioms(options_.model, thin_air_, graph.events);
    ModificationOrders orders(axioms, graph, graphs_.location_count(), budget_);
    if (axioms.racy()) result_.racy = true;
    bool is_cut = false;
    for (const Node* node : graph.threads) {
      if (node->step.kind == Step::Kind::kCut) is_cut = true;
      if (node->step.kind == Step::Kind::kBadAccess)
        throw std::runtime_error("P" + std::to_string(node->thread) + " accesses the address " +
                                 std::to_string(node->step.operand) + ", which is no location");
    }
    std::size_t& count = is_cut ? result_.blocked : result_.executions;
    if (options_.model == Model::kSc || options_.model == Model::kTso) {
      orders.for_each([&](const Relation& mo) {
        ++count;
        if (!is_cut) add_state(graph, mo);
        return true;
      });
    } else {
      ++count;
      if (!is_cut) add_states(orders, graph, orders.initial(), 0);
    }
  }

  /// The states of a class: for each choice of the last writes of the locations from `location` on, one if some
  /// modification order agrees.
  void add_states(ModificationOrders& orders, const Graph& graph, const Relation& mo, int location) {
    if (location == graphs_.location_count()) {
      if (orders.exists(mo)) add_state(graph, mo);
      return;
    }
    if (!orders.hold(mo)) return;
    const Set writes = graph.writes_of(location);
    for (int last = 0; last < mo.size; ++last)
      if (contains(writes, last))
        add_states(orders, graph, mo | product(mo.size, writes & ~singleton(last), singleton(last)), location + 1);
  }

  void add_state(const Graph& graph, const Relation& mo) {
    const auto value_of = [&](const litmus::Observable& observable) {
      if (observable.thread >= 0) return graph.threads[observable.thread]->variables[observable.index];
      const Set writes = graph.writes_of(observable.index);
      for (int e = 0; e < mo.size; ++e)
        if (contains(writes, e) && (mo.row[e] & writes) == 0) return graph.events[e].value_written;  // the last
      return Value{0};
    };
    if (test_.filter && !litmus::holds(*test_.filter, value_of)) return;
    State state;
    for (const auto& observable : observables_) state.push_back(value_of(observable));
    result_.states.insert(state);
  }

  const litmus::Test& test_;
  const Options& options_;
  std::vector<litmus::Observable> observables_;
  Graphs graphs_;
  Budget budget_;
  bool thin_air_ = false;  // the axiom "no thin air" is left out
  std::unordered_set<std::string> reported_;
  Result result_;
};

}  // namespace

Result run(const litmus::Test& test, const Options& options) { return Oracle(test, options).run(); }

}  // namespace ordeal::oracle
