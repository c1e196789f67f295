// Whether it takes weak memory; if so, the last few reads that do not return the newest store above them, and why nothing
// forbids that. "Newest" is meant by the rows that are shown.
#pragma once

#include <string>
#include <vector>

#include "report/bug_view.h"

namespace ordeal::report {

std::vector<std::string> why_old_values(const BugView& bug);

}  // namespace ordeal::report
