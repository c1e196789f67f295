// Why threads wait for ever: who holds what, who waits for whom, where a notification went, what a loop sees again and again.
#pragma once

#include <string>
#include <vector>

#include "report/bug_view.h"

namespace ordeal::report {

std::vector<std::string> why_waiting(const BugView& bug);

}  // namespace ordeal::report
