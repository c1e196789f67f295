// What a run found goes to the command that asked, through a descriptor; if the program was started by itself, to the user on stderr.
#pragma once

#include "agent/options.h"
#include "trace/run_result.h"

namespace ordeal::agent {

constexpr int kBugExitCode = 66;

/// Returns the exit code of the process.
/// Puts the result where the command looks for it, in the place of an earlier one; if there is no command, nothing.
void hand_over(const Options& options, const trace::RunResult& result);
int answer(const Options& options, const trace::RunResult& result);
/// The bugs in a line each, where nobody is there to explain them.
void tell_bugs(const trace::RunResult& result);

}  // namespace ordeal::agent
