// Which turns of loops the search explored, and what kept them: for --full and --json. Code that is in the program several times is one place here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/source_names.h"
#include "trace/run_result.h"

namespace ordeal::report {

struct KeptPlace {
  SourcePlace place, because;  // without a file: none
  trace::KeptOperation operation, because_operation;
  trace::KeptBy by;
  std::uint64_t times = 0;
};

/// By file and line.
std::vector<KeptPlace> kept_places(const trace::RunResult& result, SourceNames& names);
/// "the load at line 28 acquires, the failed compare-exchange does not".
std::string reason_text(const KeptPlace& kept);
/// A heading, and a line for each; empty: there is none.
std::string kept_turns_text(const trace::RunResult& result, SourceNames& names);

}  // namespace ordeal::report
