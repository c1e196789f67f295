#include "oracle/modification_order.h"

namespace ordeal::oracle {

Relation ModificationOrders::initial() const {
  Relation mo(graph_.size());
  for (int location = 0; location < location_count_; ++location) mo.row[location] = later_writes_of(location);
  return mo;
}

bool ModificationOrders::hold(const Relation& mo) {
  budget_.spend();
  return axioms_.hold(mo);
}

bool ModificationOrders::exists(const Relation& mo) {
  if (!hold(mo)) return false;
  const auto stop = [](const Relation&) { return false; };
  for (int location = 0; location < location_count_; ++location)  // one location at a time: necessary, and fast
    if (for_each_order(mo, later_writes_of(location), stop)) return false;
  if (!axioms_.couple_locations()) return true;  // then the orders found will do together
  return !for_each(mo, 0, stop);
}

/// Extends `mo` by orders of the writes of all locations from `location` on.
bool ModificationOrders::for_each(const Relation& mo, int location, const Visit& visit) {
  if (location == location_count_) return visit(mo);
  return for_each_order(mo, later_writes_of(location),
                        [&](const Relation& more) { return for_each(more, location + 1, visit); });
}

/// Extends `mo` by all total orders of some writes: one of them comes first, then the others.
bool ModificationOrders::for_each_order(const Relation& mo, Set writes, const Visit& visit) {
  if ((writes & (writes - 1)) == 0) return visit(mo);  // one or none
  for (int first = 0; first < mo.size; ++first) {
    if (!contains(writes, first)) continue;
    const Set others = writes & ~singleton(first);
    if ((axioms_.never_mo_before(first) & others) != 0) continue;
    const Relation more = mo | product(mo.size, singleton(first), others);
    if (hold(more) && !for_each_order(more, others, visit)) return false;
  }
  return true;
}

}  // namespace ordeal::oracle
