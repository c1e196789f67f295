// The debug information of a run for its report: joins symbols and report, which do not know each other.
#pragma once

#include <memory>

#include "report/source_names.h"
#include "trace/run_result.h"

namespace ordeal::tools {

/// Names from the files of these modules, opened when first asked for. Paths are shown relative to the current directory.
std::unique_ptr<report::SourceNames> source_names(const std::vector<trace::Module>& modules);

}  // namespace ordeal::tools
