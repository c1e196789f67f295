// Completions: what modification order may be, where constraints leave it open.
//
// Most questions need none (values, races, assertions: a class decides them). Final memory does, jointly over all
// locations, because seq_cst couples them; so do "no progress" and specifications.
#pragma once

#include <functional>
#include <span>

#include "model/consistency.h"

namespace ordeal::model {

/// Calls `visit` with each order of `writes` that some consistent modification order has (writes of different locations
/// keep the order given). `visit` returns false to stop.
void for_each_completion(ExecutionGraph& graph, Consistency& consistency, std::span<const Slot> writes,
                         const std::function<bool(std::span<const Slot>)>& visit);

/// Calls `visit` with each combination of last writes of `locations` (aligned with it) that some consistent modification
/// order has. `visit` returns false to stop.
void for_each_final_memory(ExecutionGraph& graph, Consistency& consistency, std::span<const LocationId> locations,
                           const std::function<bool(std::span<const Slot>)>& visit);

}  // namespace ordeal::model
