// Prints tests: as litmus files, and their conditions as herd prints them.
#pragma once

#include <string>

#include "litmus/ast.h"

namespace ordeal::litmus {

/// A litmus file that `parse` (with default options) reads as the same test, but for positions, notes and the name of
/// the file.
/// REQUIRES: the variables of each thread begin with its parameters, and what `parse` promises of a test: names are C
/// names (perhaps with `#` and a number), orders are legal, trees are at most kMaximumNesting high.
std::string to_source(const Test& test);

/// `exists (0:r0=1 /\ [x]=2)`: what stands behind "Condition" in herd's output. Addresses are printed as the location's
/// name, `a!=b` as `not (a=b)`.
std::string condition_text(const Test& test);

}  // namespace ordeal::litmus
