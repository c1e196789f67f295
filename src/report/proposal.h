// Which stronger order, or which fence, would have prevented a bug: what analysis/repair.h has found and checked, in one sentence.
//
// Of a race whatever orders the two accesses or forbids the execution; of other bugs, if they take weak memory, what forbids it. An
// execution that is an interleaving of the threads is not forbidden by any order: then there is nothing to say.
#pragma once

#include <string>

#include "report/bug_view.h"

namespace ordeal::report {

/// "With memory_order_release for the store at queue.cpp:12 the two accesses are ordered."; empty: nothing was found.
std::string proposal(const BugView& bug);

}  // namespace ordeal::report
