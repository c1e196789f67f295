// A program that was started by itself tells its result as `ordeal check` would: by the command, which has the names and lines.
// The command is beside this library; the result goes to it in a file in memory.
#pragma once

#include "trace/run_result.h"

namespace ordeal::agent {

/// On stderr. False: the command is not there, or could not do it.
bool explain(const trace::RunResult& result);

}  // namespace ordeal::agent
