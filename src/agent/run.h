// One run of the tested process: the search, and its result.
#pragma once

#include "agent/options.h"

namespace ordeal::agent {

/// The exit code of the process.
int run(const Options& options);

}  // namespace ordeal::agent
