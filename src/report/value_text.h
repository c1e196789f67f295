// A value as the source would write it: by its type if that is known, else a guess by its size.
#pragma once

#include <cstdint>
#include <string>

#include "report/source_names.h"

namespace ordeal::report {

/// `value` has `size` bytes; what is above them does not count. Of pointers the address.
std::string value_text(const ValueType& type, std::int64_t value, std::uint32_t size);

}  // namespace ordeal::report
