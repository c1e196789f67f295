// Where the calls of a function may go on when they throw: from its table of exceptions, which the unwinder has too.
#pragma once

#include <cstdint>
#include <vector>

namespace ordeal::runtime {

/// Adds them for the function that `code` belongs to. False: nobody knows.
bool add_catches(std::uintptr_t code, std::vector<std::uintptr_t>& catches);

}  // namespace ordeal::runtime
