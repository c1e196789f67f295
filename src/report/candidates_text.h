// The stores that a read could have read, and why each other one is excluded (analysis/candidates.h), for the page and for --json.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/candidates.h"
#include "report/bug_view.h"

namespace ordeal::report {

/// First those that it could have read. Of very many the last, and `chosen`, the one it did read.
std::vector<analysis::Candidate> shown_candidates(std::vector<analysis::Candidate> stores, analysis::EventIndex chosen);

/// "Overwritten: [c] of thread 1 comes behind it …"; of one that could have been read: what a compare-exchange would have done, or nothing.
std::string candidate_text(const BugView& view, const analysis::Candidate& store);
/// What a store leaves there, or what was there in the beginning.
std::string stored_text(const BugView& view, analysis::EventIndex store, std::int32_t location);

}  // namespace ordeal::report
