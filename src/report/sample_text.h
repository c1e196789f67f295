// What is said of random testing only: how often, which executions, and where each thread was, since long executions have no table.
#pragma once

#include <string>
#include <vector>

#include "report/bug_view.h"
#include "trace/run_result.h"

namespace ordeal::report {

/// Whether the result is one of random testing.
inline bool is_sampled(const trace::RunResult& result) { return !result.strategy.empty(); }

/// "347 of 1,000 executions (34.7 %)".
std::string rate_text(std::uint64_t count, std::uint64_t executions);
/// "In 347 of 1,000 executions (34.7 %), first in number 3.".
std::string frequency(const trace::RunResult& result, const trace::Bug& bug);
/// "(seed 1, strategy portfolio, at most 3 threads, 12 operations) in 5.2 ms, 190,000 a second".
std::string sample_circumstances(const trace::RunResult& result);
/// How to run the execution again where there is no replay file: "ordeal test --seed 1 --first 3 --executions 1 queue".
std::string sample_command(const trace::RunResult& result, const trace::Bug& bug, const std::string& program);

/// "    #0 push  queue.cpp:41", a line each.
std::string stack_lines(const std::vector<SourcePlace>& calls);
/// Of each thread that takes part, of the block's allocation and of its end.
std::string bug_stacks(const BugView& bug, std::size_t width);

}  // namespace ordeal::report
