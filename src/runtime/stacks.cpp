#include "runtime/stacks.h"

#include <unwind.h>

#include <algorithm>

#include "runtime/layout.h"
#include "runtime/modules.h"

namespace ordeal::runtime {

bool Stacks::is_recording = false;

namespace {
std::vector<std::vector<std::uint64_t>>& all() {
  static std::vector<std::vector<std::uint64_t>> stacks;
  return stacks;
}
}  // namespace

void Stacks::clear() { all().clear(); }

namespace {

constexpr std::size_t kMaxFrames = 128;           // of a deep recursion the innermost are enough
constexpr std::size_t kRoomToWalk = 64 * 1024;    // what the unwinder takes of the program's stack, generously

_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* stack) {
  int is_before_instruction = 0;
  const std::uintptr_t address = _Unwind_GetIPInfo(context, &is_before_instruction);
  if (address == 0) return _URC_END_OF_STACK;
  auto& frames = *static_cast<std::vector<std::uint64_t>*>(stack);
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
  std::vector<std::uint64_t> stack;
  if (has_room_to_walk()) _Unwind_Backtrace(&add_frame, &stack);
  const auto begin = std::find(stack.begin(), stack.end(), site);
  if (begin != stack.end()) stack.erase(stack.begin(), begin);
  while (!stack.empty() && is_ours(stack.back())) stack.pop_back();
  if (stack.empty() && site != 0) stack.push_back(site);
  all().push_back(std::move(stack));
  return static_cast<std::uint32_t>(all().size());
}

std::vector<std::uint64_t> Stacks::get(std::uint32_t stack) {
  if (stack == 0 || stack > all().size()) return {};
  return all()[stack - 1];
}

}  // namespace ordeal::runtime
