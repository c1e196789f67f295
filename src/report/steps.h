// The operations of a bug's execution one by one, in the order of its table, each with the line of the source that makes it.
//
//      e  thread 2  sent: true rlx, from c
//                   message_bug.cpp:21: while (!sent.load(std::memory_order_relaxed)) {
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "report/bug_view.h"

namespace ordeal::report {

/// The text of a line of a file; empty: it cannot be read.
using ReadLine = std::function<std::string(const std::string& file, std::uint32_t line)>;

/// Each with its newlines. None: the execution has no events.
std::vector<std::string> execution_steps(const BugView& view, SourceNames& names, const ReadLine& read_line);

}  // namespace ordeal::report
