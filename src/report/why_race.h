// Why two accesses race: what would have ordered them, and where that chain breaks.
//
// If what the one thread did after its access reached the other before its own, through stores and loads that read them, perhaps through
// other threads, then each hop that does not synchronise is told with the order that is too weak. Else a release sequence that another
// store has cut, and where each side last synchronised.
#pragma once

#include <string>
#include <vector>

#include "report/bug_view.h"

namespace ordeal::report {

constexpr const char* kNothingOrders = "Nothing orders the two accesses: neither happens before the other.";

std::vector<std::string> why_race(const BugView& bug);

}  // namespace ordeal::report
