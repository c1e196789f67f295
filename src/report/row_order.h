// In which order the events of an execution are shown: the one place that decides it.
#pragma once

#include <cstddef>
#include <vector>

#include "trace/trace.h"

namespace ordeal::report {

/// Indices of trace.events. Program order is kept, and the two halves of a read-modify-write stay together.
std::vector<std::size_t> row_order(const trace::Trace& trace);

}  // namespace ordeal::report
