// The result of a run as one JSON object. The names of its fields are promised to scripts: verdict, model, executions, blocked,
// seconds, bounds, notes, bugs, and of a bug kind, message, file, line, threads, replay, count. More may come.
#pragma once

#include <string>

#include "report/check_report.h"

namespace ordeal::report {

/// One line, valid UTF-8 whatever the program's names and output are.
std::string check_json(const trace::RunResult& result, SourceNames& names, const CheckOptions& options);

}  // namespace ordeal::report
