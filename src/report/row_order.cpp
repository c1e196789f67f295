#include "report/row_order.h"

#include <numeric>

namespace ordeal::report {

// As they stand in the trace: an order that respects po and rf.
std::vector<std::size_t> row_order(const trace::Trace& trace) {
  std::vector<std::size_t> order(trace.events.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

}  // namespace ordeal::report
