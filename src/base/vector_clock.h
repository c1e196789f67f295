// Vector clocks as rows of a matrix: entry t counts the events of thread t that are "before".
//
// The graph keeps them in one array and passes rows around as bare pointers with a common width, a multiple of four, so
// that the compiler turns each loop into a few vector instructions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace ordeal::base {

using ClockEntry = std::int32_t;

constexpr int padded_width(int entries) { return (entries + 3) & ~3; }

inline void join(ClockEntry* __restrict into, const ClockEntry* __restrict from, int width) {
  for (int i = 0; i < width; i += 4)
    for (int j = i; j < i + 4; ++j) into[j] = std::max(into[j], from[j]);
}
inline void copy(ClockEntry* __restrict into, const ClockEntry* __restrict from, int width) {
  for (int i = 0; i < width; i += 4)
    for (int j = i; j < i + 4; ++j) into[j] = from[j];
}
inline void clear(ClockEntry* into, int width) {
  for (int i = 0; i < width; i += 4) std::memset(into + i, 0, 4 * sizeof(ClockEntry));  // mostly one turn, and no call
}
/// Whether `from` is pointwise at most `into`.
inline bool covers(const ClockEntry* into, const ClockEntry* from, int width) {
  ClockEntry over = 0;
  for (int i = 0; i < width; i += 4)
    for (int j = i; j < i + 4; ++j) over |= into[j] - from[j];  // the sign bit survives
  return over >= 0;
}

inline ClockEntry sum(const ClockEntry* row, int width) {
  ClockEntry lanes[4] = {};
  for (int i = 0; i < width; i += 4)
    for (int j = 0; j < 4; ++j) lanes[j] += row[i + j];
  return lanes[0] + lanes[1] + lanes[2] + lanes[3];
}

}  // namespace ordeal::base
