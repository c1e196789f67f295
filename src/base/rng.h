// Randomness that depends on a seed and a counter only: the n-th number of a stream can be had without the others.
#pragma once

#include <cstdint>

namespace ordeal::base {

/// A mixing function (the finaliser of splitmix64): every bit of the result depends on every bit of the argument.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

class Rng {
 public:
  explicit constexpr Rng(std::uint64_t seed, std::uint64_t stream = 0) : key_(mix(seed + 0x9e3779b97f4a7c15) ^ mix(stream)) {}
  constexpr std::uint64_t next() { return mix(key_ + 0x9e3779b97f4a7c15 * ++counter_); }
  /// A number below `bound`. REQUIRES: bound > 0.
  constexpr int below(int bound) {
    return static_cast<int>((next() >> 32) * static_cast<std::uint64_t>(bound) >> 32);
  }
  constexpr bool chance(int percent) { return below(100) < percent; }

 private:
  std::uint64_t key_;
  std::uint64_t counter_ = 0;
};

}  // namespace ordeal::base
