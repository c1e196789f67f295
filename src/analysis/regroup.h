// The same order with few changes of thread. All that it shows stays: which write comes before which of the same location, and between
// which writes a read that is not surprising stands. Then it stays with a thread as long as it can, and goes on with the operation that was
// executed first. O(operations * threads).
#pragma once

#include <span>
#include <vector>

#include "analysis/hard_orders.h"
#include "analysis/operations.h"

namespace ordeal::analysis {

/// REQUIRES: `order` has all operations and keeps the hard orders.
std::vector<OperationId> regroup(const Operations& operations, std::span<const OperationId> order, const HardOrders& hard);

}  // namespace ordeal::analysis
