// Why a bug could happen, in a few plain sentences, as far as the trace tells it.
//
// Of a race: the hop that looks like synchronisation but is none, with the order that is too weak (why_race). Of a deadlock: who holds
// what and waits for whom, and where a notification went; of a waiting loop: what it sees (why_waiting). Of memory bugs: the life of the
// block. Of all: whether it takes weak memory, the reads that do not return the newest store above them and why nothing forbids that
// (why_old_values), and a stronger order or a fence that would have prevented it, if one was found and checked (proposal).
//
// Only what follows from the trace is said.
#pragma once

#include <string>
#include <vector>

#include "report/bug_view.h"

namespace ordeal::report {

/// Whether the calls that led to the bug are told here, or are shown as stacks.
enum class Calls : std::uint8_t { kTold, kShown };

std::vector<std::string> explanation(const BugView& bug, Calls calls = Calls::kTold);

}  // namespace ordeal::report
