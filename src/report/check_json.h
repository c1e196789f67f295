// The result of a run as one JSON object: docs/schema/ordeal-report.schema.json has its fields. New ones may come; if one goes or means
// something else, the version grows.
#pragma once

#include <string>

#include "report/check_report.h"

namespace ordeal::report {

constexpr int kJsonVersion = 1;

/// One line, valid UTF-8 whatever the program's names and output are.
std::string check_json(const trace::RunResult& result, SourceNames& names, const CheckOptions& options);

}  // namespace ordeal::report
