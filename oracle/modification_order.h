// The modification orders of an execution graph: all those that satisfy the axioms.
#pragma once

#include <functional>

#include "oracle/axioms.h"
#include "oracle/graph.h"
#include "oracle/oracle.h"
#include "oracle/relation.h"

namespace ordeal::oracle {

/// The search for modification orders of one graph.
///
/// Orders are built write by write. The axioms are asked after each, since what fails for a part of an order fails for
/// the whole (see Axioms::hold).
class ModificationOrders {
 public:
  using Visit = std::function<bool(const Relation& mo)>;  // returns whether to go on

  ModificationOrders(const Axioms& axioms, const Graph& graph, int location_count, Budget& budget)
      : axioms_(axioms), graph_(graph), location_count_(location_count), budget_(budget) {}

  /// What every modification order contains: the initial write of a location comes first.
  Relation initial() const;
  /// Whether the axioms hold for this part of a modification order.
  bool hold(const Relation& mo);
  /// Whether some modification order that contains `mo` satisfies the axioms.
  bool exists(const Relation& mo);
  /// Visits every modification order that satisfies the axioms. Returns false if a visit wanted to stop.
  bool for_each(const Visit& visit) { return for_each(initial(), 0, visit); }

 private:
  bool for_each(const Relation& mo, int location, const Visit& visit);
  bool for_each_order(const Relation& mo, Set writes, const Visit& visit);
  Set later_writes_of(int location) const { return graph_.writes_of(location) & ~singleton(location); }

  const Axioms& axioms_;
  const Graph& graph_;
  int location_count_;
  Budget& budget_;
};

}  // namespace ordeal::oracle
