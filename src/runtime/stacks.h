// Call stacks, kept only while an execution is recorded for a report.
#pragma once

#include <cstdint>
#include <vector>

namespace ordeal::runtime {

class Stacks {
 public:
  /// While on, `add` keeps what it gets; otherwise it returns 0 at once.
  static bool is_recording;
  /// Likewise of plain accesses, one of which may turn out to be a side of a race. There are many of them.
  static bool is_recording_accesses;
  static void clear();
  /// False shortly before the program's stack overflows: then `add` keeps the site alone.
  static bool has_room_to_walk();
  /// The running thread's stack, from the call that returns to `site` outwards; 0: from the call into the runtime.
  static std::uint32_t add(std::uintptr_t site);
  static std::vector<std::uint64_t> get(std::uint32_t stack);
  /// A function's part of a program stack, while the function stood at `code`.
  struct Frame {
    std::uint64_t code = 0;  // 0: none
    std::uintptr_t begin = 0, end = 0;
  };
  /// The frame that this address was in when stack `moment` was kept, or next to that moment.
  static Frame frame_of(std::uintptr_t address, std::uint32_t moment);
};

}  // namespace ordeal::runtime
