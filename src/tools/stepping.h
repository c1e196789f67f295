// `ordeal replay --step`: the operations of an execution one by one. On a terminal the next one comes with Enter, `q` ends it.
#pragma once

#include "trace/run_result.h"

namespace ordeal::tools {

/// Of the first bug. REQUIRES: there is one.
void print_steps(const trace::RunResult& result);

}  // namespace ordeal::tools
