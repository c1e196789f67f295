// How much a test tries.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace ordeal::tests {

/// `rounds`, multiplied by the environment variable ORDEAL_TEST_SCALE; at least one.
inline int scaled(int rounds) {
  const char* scale = std::getenv("ORDEAL_TEST_SCALE");  // NOLINT(concurrency-mt-unsafe)
  return scale == nullptr ? rounds : std::max(1, static_cast<int>(rounds * std::atof(scale)));
}

}  // namespace ordeal::tests
