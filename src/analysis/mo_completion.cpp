#include "analysis/mo_completion.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "model/modification_order.h"

namespace ordeal::analysis {

using model::ExecutionGraph;
using model::is_initial;
using model::kNone;
using model::LocationId;
using model::number;
using model::Slot;

namespace {

constexpr int kMostChecks = 1'000;
constexpr std::size_t kManyChains = 2'000;

class Completion {
 public:
  explicit Completion(GraphOfTrace& of_trace) : graph_(of_trace.graph()), consistency_(of_trace.consistency()) {}

  std::vector<OrderOfWrites> orders() {
    std::vector<std::vector<Slot>> writes;
    if (consistency_.mo_is_explicit()) {
      for (int l = 0; l < graph_.locations(); ++l) writes.push_back(by_position(LocationId{l}));
    } else {
      writes = open_orders();
    }
    std::vector<OrderOfWrites> result;
    for (const std::vector<Slot>& of_location : writes) {
      OrderOfWrites order;
      for (const Slot write : of_location) order.writes.push_back(number(write));
      for (std::size_t i = 0; i + 1 < of_location.size(); ++i)
        order.necessity.push_back(is_forced(of_location[i], of_location[i + 1]) ? Necessity::kForced : Necessity::kChosen);
      result.push_back(std::move(order));
    }
    return result;
  }

 private:
  std::vector<Slot> writes_at(LocationId location) const {
    std::vector<Slot> writes;
    for (Slot at = graph_.last_write(location); at != kNone; at = graph_.event(at).previous_at_location) writes.push_back(at);
    std::reverse(writes.begin(), writes.end());
    return writes;
  }
  std::vector<Slot> by_position(LocationId location) const {
    std::vector<Slot> writes = writes_at(location);
    std::sort(writes.begin(), writes.end(), [&](Slot a, Slot b) { return graph_.event(a).mo_position < graph_.event(b).mo_position; });
    return writes;
  }

  /// Heads of chains in an order that the constraints allow, that of the trace if possible.
  std::vector<Slot> extension(LocationId location) const {
    std::vector<Slot> rest, order;
    model::for_each_chain(graph_, location, [&](Slot head) { rest.push_back(head); });
    std::reverse(rest.begin(), rest.end());
    if (rest.size() > kManyChains) {  // what is forced behind another counts more writes
      const auto count = [&](Slot head) { return base::sum(graph_.row(head, model::Row::kMo), graph_.width()); };
      std::sort(rest.begin(), rest.end(), [&](Slot a, Slot b) { return count(a) != count(b) ? count(a) < count(b) : number(a) < number(b); });
      return rest;
    }
    while (!rest.empty()) {
      const auto first = std::find_if(rest.begin(), rest.end(), [&](Slot head) {
        return std::none_of(rest.begin(), rest.end(), [&](Slot other) { return other != head && forced_before(graph_, other, head); });
      });
      order.push_back(*first);
      rest.erase(first);
    }
    return order;
  }

  bool force_all(const std::vector<std::vector<Slot>>& heads) {
    for (const std::vector<Slot>& chain : heads)
      for (std::size_t i = 0; i + 1 < chain.size(); ++i)
        if (!force_before(graph_, chain[i], chain[i + 1])) return false;
    return consistency_.recheck(graph_);
  }

  std::vector<std::vector<Slot>> open_orders() {
    const std::uint32_t mark = graph_.mark();
    std::vector<std::vector<Slot>> heads;
    for (int l = 0; l < graph_.locations(); ++l) heads.push_back(extension(LocationId{l}));
    if (!force_all(heads)) {
      graph_.undo(mark);
      for (std::size_t l = 0; l < heads.size(); ++l) {
        decide_pairs(heads[l]);
        heads[l] = extension(LocationId{static_cast<std::int32_t>(l)});
      }
    }
    graph_.undo(mark);
    std::vector<std::vector<Slot>> orders;
    for (std::size_t l = 0; l < heads.size(); ++l) orders.push_back(whole_chains(LocationId{static_cast<std::int32_t>(l)}, heads[l]));
    return orders;
  }

  /// One of the two orders of a pair is always consistent, because the whole is.
  void decide_pairs(const std::vector<Slot>& heads) {
    for (std::size_t i = 0; i < heads.size(); ++i)
      for (std::size_t j = i + 1; j < heads.size(); ++j) {
        if (forced_before(graph_, heads[i], heads[j]) || forced_before(graph_, heads[j], heads[i])) continue;
        const std::uint32_t mark = graph_.mark();
        if (force_before(graph_, heads[i], heads[j]) && consistency_.recheck(graph_)) continue;
        graph_.undo(mark);
        force_before(graph_, heads[j], heads[i]);
      }
  }

  /// The chain of the initial write comes first, without that.
  std::vector<Slot> whole_chains(LocationId location, const std::vector<Slot>& heads) const {
    std::map<Slot, std::size_t> places;
    for (std::size_t i = 0; i < heads.size(); ++i) places[heads[i]] = i + 1;
    std::vector<std::tuple<std::size_t, std::int32_t, Slot>> keys;
    for (const Slot write : writes_at(location)) {
      const model::Event& event = graph_.event(write);
      keys.emplace_back(is_initial(event.chain_head) ? 0 : places[event.chain_head], event.chain_position, write);
    }
    std::sort(keys.begin(), keys.end());
    std::vector<Slot> order;
    for (const auto& key : keys) order.push_back(std::get<Slot>(key));
    return order;
  }

  bool is_forced(Slot a, Slot b) {
    if (consistency_.mo_is_explicit() || forced_before(graph_, a, b)) return true;
    if (graph_.seq_cst_events().size() < 2 || checks_++ >= kMostChecks) return false;
    const std::uint32_t mark = graph_.mark();
    const bool is_allowed = force_before(graph_, b, a) && consistency_.recheck(graph_);
    graph_.undo(mark);
    return !is_allowed;
  }

  ExecutionGraph& graph_;
  model::Consistency& consistency_;
  int checks_ = 0;
};

}  // namespace

std::vector<OrderOfWrites> complete_modification_order(GraphOfTrace& of_trace) { return Completion(of_trace).orders(); }

}  // namespace ordeal::analysis
