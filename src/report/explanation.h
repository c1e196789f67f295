// Why a bug could happen, in a few plain sentences, as far as the trace tells it.
//
// Of a race: the read that looks like synchronisation but is none, with the order that is too weak; else the last
// synchronisation of each side. Of a deadlock: who holds what. Of a waiting loop: what it sees. Of memory bugs: the life of the
// block. Of all others: whether it takes weak memory, and the reads that do not return the newest store above them.
//
// Only what follows from the trace is said. "Newest" is meant by the rows that are shown.
#pragma once

#include <string>
#include <vector>

#include "report/bug_view.h"

namespace ordeal::report {

/// Whether the calls that led to the bug are told here, or are shown as stacks.
enum class Calls : std::uint8_t { kTold, kShown };

std::vector<std::string> explanation(const BugView& bug, Calls calls = Calls::kTold);

}  // namespace ordeal::report
