// The axioms of the memory models as they are written down, over bit matrices: slow, and independent of how src/model
// computes anything. It reads kinds, orders, locations, rf and positions of the events and nothing else of the graph.
//
// An RMW is two events, tied by `rmw`. A thread that is created has a start, one that is joined a finish: creation
// synchronises with the start, the finish with the join. They are evaluations without a location.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "model/consistency.h"
#include "oracle/relation.h"

namespace ordeal::model::testing {

using oracle::Relation;
using oracle::Set;

class Naive {
 public:
  explicit Naive(const ExecutionGraph& graph);

  int id(Slot slot) const { return number(slot) < 0 ? -1 - number(slot) : locations_ + number(slot); }
  Slot slot(int id) const { return Slot{id < locations_ ? -1 - id : id - locations_}; }
  /// The writes of a location, the initial one first.
  std::vector<int> writes_at(int location) const;

  const Relation& hb() const { return hb_; }
  const Relation& shb() const { return shb_; }
  bool porf(int a, int b) const { return a == b || porf_(a, b); }

  /// The constraint edges between writes of the same location (section 3 of the memory model), closed.
  Relation mo_constraints() const;

  /// Whether the axioms of cpp20 or rc11 hold for this modification order; that of sc or tso for the positions in the
  /// graph.
  bool coherent(const Relation& mo) const;
  bool atomic(const Relation& mo) const;
  bool psc_is_acyclic(Model model, const Relation& mo) const;
  bool sequentially_consistent() const;
  bool totally_store_ordered() const;

  /// Calls `visit(mo)` with each modification order of all locations that satisfies the axioms, by trying all
  /// permutations. `visit` returns false to stop. Only cpp20 and rc11.
  void for_each_mo(Model model, const std::function<bool(const Relation&)>& visit) const;
  /// Whether the graph is consistent: for some modification order, or (sc, tso) for its own.
  bool consistent(Model model) const;
  /// The same for coherence and atomicity alone.
  bool coherent_for_some_mo() const;
  bool racy(int a, int b) const;
  bool racy() const;

 private:
  struct Item {
    EventKind kind = EventKind::kNote;
    MemoryOrder order = MemoryOrder::kRelaxed;
    int thread = -1, index = -1, location = -1;
    int rf = -1;
    int mo_position = 0;
    bool is_rmw = false;
    bool is_interlocked = false;
  };
  template <class Test>
  Set all(Test&& test) const;
  Relation only(Set set) const { return oracle::identity(size_, set); }
  Relation fr(const Relation& mo) const { return oracle::inverse(rf_) * mo; }
  Relation eco(const Relation& mo) const { return oracle::closure(rf_ | mo | fr(mo)); }
  Relation explicit_mo() const;
  void add_threads(const ExecutionGraph& graph);
  void order_threads();
  void synchronise();
  std::vector<Relation> coherent_orders(int location) const;

  int locations_;
  int threads_;
  int size_ = 0;
  std::vector<Item> items_;
  std::vector<std::pair<int, int>> thread_edges_;  // creation → start, finish → join
  Set initial_ = 0, reads_ = 0, writes_ = 0, plain_ = 0, fences_ = 0, sc_ = 0, sc_fences_ = 0;
  Relation po_{0}, rf_{0}, rmw_{0}, same_location_{0}, sw_{0}, hb_{0}, shb_{0}, porf_{0};
};

/// What a row of the graph should count: the events of `thread` that are before-or-equal in `relation`.
int count_before(const ExecutionGraph& graph, const Naive& naive, const Relation& relation, int thread, Slot slot);

}  // namespace ordeal::model::testing
