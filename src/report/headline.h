// The first line of a bug: what and where, in the user's words.
#pragma once

#include <string>

#include "report/bug_view.h"

namespace ordeal::report {

/// Without a newline: "data race on 'queue.tail': thread 1 writes at queue.cpp:41, thread 2 reads at queue.cpp:57".
std::string headline(const BugView& bug);

}  // namespace ordeal::report
