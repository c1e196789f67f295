// `ordeal replay --gdb`: gdb on the failing execution, with the commands of package/gdb.py.
#pragma once

#include <string>
#include <vector>

#include "tools/checked_run.h"
#include "trace/run_result.h"

namespace ordeal::tools {

/// Where gdb is. Throws std::runtime_error with what to do if it is not there, or our script is not.
std::string require_gdb();

/// This process becomes gdb. `seen` is the result of `run`, which has just been made and showed a bug; `arguments` are for gdb.
/// Throws NotChecked.
[[noreturn]] void become_gdb(CheckedRun run, const trace::RunResult& seen, const std::vector<std::string>& arguments);

}  // namespace ordeal::tools
