// Which events a reader of a long table needs: what the bug is about. The rest is folded (`--full` shows all).
//
// That is: what its sentences cite, accesses to its memory and to what its threads wait for, surprising reads, and the stores that all
// these reads read, or should have read; and the creation of the threads that take part. A bug that is about no memory, an assertion
// say, may depend on anything: nothing is folded there.
#pragma once

#include <string>
#include <vector>

#include "report/bug_view.h"

namespace ordeal::report {

/// By event of the trace; empty: all matter.
std::vector<bool> relevant_events(const BugView& bug, const std::vector<std::string>& sentences);
/// What the sentences cite, with the stores that these reads read, or should have read: shown however long the table is.
std::vector<bool> cited_events(const BugView& bug, const std::vector<std::string>& sentences);

}  // namespace ordeal::report
