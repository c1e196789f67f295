// Why no interleaving does what was read, in a sentence with the letters of rows.
#pragma once

#include <string>

#include "report/execution_table.h"

namespace ordeal::report {

/// "Each must come before the next: a, b (program order), c (reads b), d (program order), a (overwrites what d read)." Of what
/// overwrites a read store it is said how the two are ordered, if that takes more than a step. Empty: there is no cycle.
std::string cycle_text(const Rows& rows);
/// Whether the rows are an interleaving; if not, why there is none.
std::string sc_text(const Rows& rows);

}  // namespace ordeal::report
