// The debug information of a run for its report: joins symbols and report, which do not know each other.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "report/source_names.h"
#include "trace/run_result.h"

namespace ordeal::tools {

/// Names from the files of these modules, opened when first asked for. Paths are shown relative to the current directory.
/// `system_directories`: headers below them are not the user's code; those of the system are known without.
std::unique_ptr<report::SourceNames> source_names(const std::vector<trace::Module>& modules,
                                                  const std::vector<std::string>& system_directories = {});

}  // namespace ordeal::tools
