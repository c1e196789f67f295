// How many random programs a test tries.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace ordeal::oracle::testing {

/// `rounds`, multiplied by the environment variable ORDEAL_TEST_SCALE.
inline int scaled(int rounds) {
  const char* scale = std::getenv("ORDEAL_TEST_SCALE");  // NOLINT(concurrency-mt-unsafe)
  return scale == nullptr ? rounds : std::max(1, static_cast<int>(rounds * std::atof(scale)));
}

}  // namespace ordeal::oracle::testing
