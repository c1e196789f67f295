// One execution as the data of a page: rows, edges, and for each read the stores that it could have read (viewer/src/data.ts has the
// fields). Rows are those of the table in the terminal, with the same letters; all that refers to an event refers to its row.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "report/bug_view.h"

namespace ordeal::report {

using PageJson = nlohmann::ordered_json;

/// A line of a source file is shown: gives the number of the file.
using UseLine = std::function<std::size_t(const std::string& file, std::uint32_t line)>;

struct PageExecution {
  const BugView& view;
  std::string file;  // that the lines of events without a stack are of (litmus tests)
};

/// Puts order, threads, rows, edges and remarks into `json`. An execution of very many rows is cut, with a remark.
void add_execution(PageJson& json, const PageExecution& execution, SourceNames& names, const UseLine& use_line);

}  // namespace ordeal::report
