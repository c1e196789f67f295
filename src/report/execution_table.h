// An execution as a table: one column a thread, one row an event, reads with what they read from.
#pragma once

#include <string>

#include "trace/trace.h"

namespace ordeal::report {

std::string execution_table(const trace::Trace& trace);

}  // namespace ordeal::report
