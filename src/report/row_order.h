// In which order the events of an execution are shown: the one place that decides it.
//
// The best order is an interleaving: every read reads the last write above it. Where there is none, weak memory is at work,
// and the order with the fewest reads of older writes shows it best. We look for it thread by thread, depth first, staying
// with one thread as long as it can go on, and remembering states that lead nowhere.
#pragma once

#include <cstddef>
#include <vector>

#include "trace/trace.h"

namespace ordeal::report {

struct RowOrder {
  std::vector<std::size_t> events;  // indices of trace.events
  /// No interleaving explains what was read: that is certain, all were tried.
  bool is_weak = false;
  /// It is an interleaving.
  bool is_interleaving = false;
};

/// Program order is kept, and the two halves of a read-modify-write stay together. Where the search takes too long the events
/// stand as they do in the trace.
RowOrder row_order(const trace::Trace& trace);

}  // namespace ordeal::report
