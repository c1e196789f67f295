#include "analysis/hard_orders.h"

#include <algorithm>

#include "model/seq_cst.h"

namespace ordeal::analysis {

namespace {

using model::Slot;

class Collector {
 public:
  Collector(const trace::Trace& trace, const Operations& operations, GraphOfTrace& graph) : trace_(trace), operations_(operations), graph_(graph) {}

  HardOrders collect() {
    hard_.is_seq_cst.assign(operations_.all.size(), 0);
    for (std::size_t i = 0; i < trace_.events.size(); ++i)
      if (trace_.events[i].order == model::MemoryOrder::kSeqCst && trace_.events[i].kind <= model::EventKind::kFence)
        hard_.is_seq_cst[static_cast<std::size_t>(operations_.of_event(i))] = 1;
    if (graph_.is_consistent() && !graph_.consistency().mo_is_explicit()) add_seq_cst();
    if (!has_cycle(ReadsFrom::kHeld)) return std::move(hard_);
    hard_.may_read_ahead = true;
    if (graph_.graph().size() > 0) add_happens_before();
    if (!has_cycle(ReadsFrom::kFree)) return std::move(hard_);
    // C++20 lets seq_cst operations stand in another order than some that happen before each other: these matter more.
    hard_.before.clear();
    hard_.may_read_ahead = has_cycle(ReadsFrom::kHeld);
    if (hard_.may_read_ahead) add_happens_before();
    return std::move(hard_);
  }

 private:
  void add(Slot first, Slot second) {
    const OperationId a = operations_.of_event(static_cast<std::size_t>(number(first))), b = operations_.of_event(static_cast<std::size_t>(number(second)));
    if (a != b) hard_.before.emplace_back(a, b);
  }

  /// What every order of the seq_cst events has; of more than 64 one order that the model allows.
  void add_seq_cst() {
    model::ExecutionGraph& graph = graph_.graph();
    const std::vector<Slot>& nodes = graph.seq_cst_events();
    if (nodes.size() < 2) return;
    model::SeqCst solver(graph_.consistency().model() == model::Model::kRc11 ? model::SeqCstRules::kRc11 : model::SeqCstRules::kCpp20);
    if (!solver.consistent_for_good(graph)) return;
    const auto rows = graph.seq_cst_relations.rows();
    if (rows.size() == nodes.size()) {
      for (std::size_t b = 0; b < nodes.size(); ++b)
        for (std::size_t a = 0; a < nodes.size(); ++a)
          if ((rows[b] >> a & 1) != 0) add(nodes[a], nodes[b]);
      return;
    }
    const auto witness = graph.seq_cst_relations.witness();
    std::vector<Slot> sorted = nodes;
    const auto rank = [&](Slot slot) { return witness[static_cast<std::size_t>(number(slot))].rank; };
    if (witness.size() != trace_.events.size()) return;
    std::stable_sort(sorted.begin(), sorted.end(), [&](Slot a, Slot b) { return rank(a) < rank(b); });
    for (std::size_t i = 1; i < sorted.size(); ++i) add(sorted[i - 1], sorted[i]);
  }

  /// Of each thread the last event that happens before: the others follow.
  void add_happens_before() {
    const model::ExecutionGraph& graph = graph_.graph();
    std::vector<std::vector<Slot>> events(static_cast<std::size_t>(graph.threads()));
    for (int slot = 0; slot < graph.size(); ++slot) events[static_cast<std::size_t>(number(graph.event(Slot{slot}).thread))].push_back(Slot{slot});
    for (int slot = 0; slot < graph.size(); ++slot) {
      const base::ClockEntry* row = graph.row(Slot{slot}, model::Row::kHb);
      for (int t = 0; t < graph.threads(); ++t) {
        const auto count = std::min(static_cast<std::size_t>(row[t]), events[static_cast<std::size_t>(t)].size());
        if (count > 0 && model::ThreadId{t} != graph.event(Slot{slot}).thread) add(events[static_cast<std::size_t>(t)][count - 1], Slot{slot});
      }
    }
  }

  enum class ReadsFrom : std::uint8_t { kFree, kHeld };
  /// Whether program order, perhaps reads-from, and what is in `before` already have a cycle.
  bool has_cycle(ReadsFrom from) const {
    std::vector<std::vector<OperationId>> behind(operations_.all.size());
    std::vector<int> left(operations_.all.size(), 0);
    const auto add = [&](OperationId a, OperationId b) {
      behind[static_cast<std::size_t>(a)].push_back(b);
      ++left[static_cast<std::size_t>(b)];
    };
    for (const auto& pair : hard_.before) add(pair.first, pair.second);
    for (OperationId id = 0; id < operations_.size(); ++id) {
      const Operation& operation = operations_[id];
      const auto mine = operations_.of_thread(operation.thread);
      if (operation.index > 0) add(mine[static_cast<std::size_t>(operation.index) - 1], id);
      if (operation.source >= 0 && (operation.sort == Sort::kWake || (from == ReadsFrom::kHeld && reads(operation.sort)))) add(operation.source, id);
      if (operation.other < 0 || operations_.of_thread(operation.other).empty()) continue;
      if (operation.sort == Sort::kCreate) add(id, operations_.of_thread(operation.other).front());
      if (operation.sort == Sort::kJoin) add(operations_.of_thread(operation.other).back(), id);
    }
    std::vector<OperationId> ready;
    for (OperationId id = 0; id < operations_.size(); ++id)
      if (left[static_cast<std::size_t>(id)] == 0) ready.push_back(id);
    for (std::size_t i = 0; i < ready.size(); ++i)
      for (const OperationId next : behind[static_cast<std::size_t>(ready[i])])
        if (--left[static_cast<std::size_t>(next)] == 0) ready.push_back(next);
    return ready.size() < operations_.all.size();
  }

  const trace::Trace& trace_;
  const Operations& operations_;
  GraphOfTrace& graph_;
  HardOrders hard_;
};

}  // namespace

HardOrders hard_orders(const trace::Trace& trace, const Operations& operations, GraphOfTrace& graph) { return Collector(trace, operations, graph).collect(); }

}  // namespace ordeal::analysis
