// Litmus programs with a parameter, as herd would write them.
#pragma once

#include <string>
#include <vector>

namespace ordeal::benchmarks {

struct Family {
  std::string name;
  std::string what;
  std::string (*source)(int n);
  std::vector<int> small;  // about 16–24 events
  std::vector<int> large;  // about 200 events
};

const std::vector<Family>& families();

}  // namespace ordeal::benchmarks
