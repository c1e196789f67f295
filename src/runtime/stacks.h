// Call stacks, kept only while an execution is recorded for a report.
#pragma once

#include <cstdint>
#include <vector>

namespace ordeal::runtime {

class Stacks {
 public:
  /// While on, `add` keeps what it gets; otherwise it returns 0 at once.
  static bool is_recording;
  static void clear();
  /// `site`, then `calls` from the innermost outwards.
  static std::uint32_t add(std::uintptr_t site, const std::uintptr_t* calls, int depth);
  static std::vector<std::uint64_t> get(std::uint32_t stack);
};

}  // namespace ordeal::runtime
