// Bounds that the user sets for loops which are no waiting loops (memory-model.md, section 6). A thread that reaches one is
// cut, and the verdict is "bounded".
//
//   loop     a thread comes to the same place in the code more often than this
//   reread   it reads the same old store again more often than this, at the same place, although a later one is there
//   fair     it does so once, having yielded or slept meanwhile
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/operation.h"

namespace ordeal::runtime {

struct Thread;

/// What a thread did at a place in the code, in this execution.
struct PlaceHistory {
  std::uintptr_t site = 0;
  std::uint64_t visits = 0;
  std::int64_t source = -1;  // what was read last
  std::uint64_t rereads = 0;
  std::uint64_t yields = 0;  // of the thread, when it was here last
};

class Bounds {
 public:
  static void set(std::uint64_t loop, std::uint64_t reread, bool fair);
  static bool any() { return any_; }
  /// Whether the operation just made was one too many.
  static bool are_reached(Thread& thread, std::uintptr_t site, const engine::Result& result);
  /// Those that cut something, as the user gave them.
  static std::vector<std::string> reached();

 private:
  static bool any_;
};

}  // namespace ordeal::runtime
