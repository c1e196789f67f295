#include "runtime/stacks.h"

#include <unwind.h>

#include <algorithm>
#include <map>
#include <utility>

#include "runtime/layout.h"
#include "runtime/modules.h"

namespace ordeal::runtime {

bool Stacks::is_recording = false;

namespace {

using Stack = std::vector<std::uint64_t>;

/// Numbered from 1; equal stacks have one number, so that a loop takes no memory.
struct Known {
  std::map<Stack, std::uint32_t> numbers;
  std::vector<const Stack*> stacks;
};
Known& known() {
  static Known instance;
  return instance;
}

}  // namespace

void Stacks::clear() { known() = {}; }

namespace {

constexpr std::size_t kMaxFrames = 128;           // of a deep recursion the innermost are enough
constexpr std::size_t kRoomToWalk = 64 * 1024;    // what the unwinder takes of the program's stack, generously

_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* stack) {
  int is_before_instruction = 0;
  const std::uintptr_t address = _Unwind_GetIPInfo(context, &is_before_instruction);
  if (address == 0) return _URC_END_OF_STACK;
  auto& frames = *static_cast<Stack*>(stack);
  frames.push_back(address + (is_before_instruction != 0 ? 1 : 0));
  return frames.size() == kMaxFrames ? _URC_END_OF_STACK : _URC_NO_REASON;
}

}  // namespace

bool Stacks::has_room_to_walk() {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return !is_stack(here) || (here - kStackBase) % kStackStride >= kStackStride - kStackSize + kRoomToWalk;
}

std::uint32_t Stacks::add(std::uintptr_t site) {
  if (!is_recording) return 0;
  Stack stack;
  if (has_room_to_walk()) _Unwind_Backtrace(&add_frame, &stack);
  auto begin = std::find(stack.begin(), stack.end(), site);
  if (begin == stack.end()) begin = std::find_if_not(stack.begin(), stack.end(), &is_ours);
  if (begin != stack.end()) stack.erase(stack.begin(), begin);
  while (!stack.empty() && is_ours(stack.back())) stack.pop_back();
  if (stack.empty() && site != 0) stack.push_back(site);
  const auto [found, is_new] = known().numbers.try_emplace(std::move(stack), static_cast<std::uint32_t>(known().stacks.size() + 1));
  if (is_new) known().stacks.push_back(&found->first);
  return found->second;
}

std::vector<std::uint64_t> Stacks::get(std::uint32_t stack) {
  if (stack == 0 || stack > known().stacks.size()) return {};
  return *known().stacks[stack - 1];
}

}  // namespace ordeal::runtime
