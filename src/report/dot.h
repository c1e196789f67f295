// An execution as a graph for Graphviz: a cluster a thread with its rows, in the order of the table from top to bottom, and arrows between
// them. A digraph an execution; a file may have several, and `dot -Tsvg -O FILE` draws each.
//
//   order of a thread black, rf green, mo blue (dashed: chosen where the model leaves it open), fr red, sw purple
#pragma once

#include <string>
#include <string_view>

#include "report/bug_view.h"

namespace ordeal::report {

/// REQUIRES: the execution has an event. Of very many rows the last are shown.
std::string dot(const BugView& view, const std::string& title);

/// Any bytes as the inside of a quoted string, shown as they are.
std::string dot_text(std::string_view text);

}  // namespace ordeal::report
