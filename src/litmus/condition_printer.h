// Prints propositions over the final state.
#pragma once

#include <cstdint>
#include <string>

#include "litmus/ast.h"

namespace ordeal::litmus {

enum class ConditionStyle : std::uint8_t {
  kHerd,    // as in herd's output
  kSource,  // as the parser reads it: nothing is lost
};

std::string print_proposition(const Test& test, const Proposition& proposition, ConditionStyle style);
/// With its quantifier: `exists (…)`.
std::string print_condition(const Test& test, ConditionStyle style);

}  // namespace ordeal::litmus
