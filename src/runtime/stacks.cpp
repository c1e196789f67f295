#include "runtime/stacks.h"

#include <unwind.h>

#include <algorithm>
#include <map>
#include <utility>

#include "runtime/layout.h"
#include "runtime/modules.h"

namespace ordeal::runtime {

bool Stacks::is_recording = false;
bool Stacks::is_recording_accesses = true;

namespace {

struct Walk {
  std::vector<std::uint64_t> code;       // return addresses, innermost first
  std::vector<std::uintptr_t> pointers;  // the stack pointer of each, and that of the frame behind the last

  auto operator<=>(const Walk&) const = default;
};

/// Numbered from 1; equal stacks have one number, so that a loop takes no memory.
struct Known {
  std::map<Walk, std::uint32_t> numbers;
  std::vector<const Walk*> walks;
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

_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* data) {
  int is_before_instruction = 0;
  const std::uintptr_t address = _Unwind_GetIPInfo(context, &is_before_instruction);
  if (address == 0) return _URC_END_OF_STACK;
  Walk& walk = *static_cast<Walk*>(data);
  walk.code.push_back(address + (is_before_instruction != 0 ? 1 : 0));
  walk.pointers.push_back(_Unwind_GetCFA(context));  // of the frame inside: this one's stack pointer
  return walk.code.size() == kMaxFrames ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/// Only the program's own frames, from the site outwards.
void cut(Walk& walk, std::uintptr_t site) {
  auto begin = std::find(walk.code.begin(), walk.code.end(), site);
  if (begin == walk.code.end()) begin = std::find_if_not(walk.code.begin(), walk.code.end(), &is_ours);
  if (begin != walk.code.end()) {
    walk.pointers.erase(walk.pointers.begin(), walk.pointers.begin() + (begin - walk.code.begin()));
    walk.code.erase(walk.code.begin(), begin);
  }
  while (!walk.code.empty() && is_ours(walk.code.back())) walk.code.pop_back();
  walk.pointers.resize(std::min(walk.pointers.size(), walk.code.size() + 1));
  if (walk.code.empty() && site != 0) walk.code.push_back(site);
}

Stacks::Frame frame_in(const Walk& walk, std::uintptr_t address) {
  for (std::size_t i = 0; i < walk.code.size() && i + 1 < walk.pointers.size(); ++i)
    if (address >= walk.pointers[i] && address < walk.pointers[i + 1]) return {walk.code[i], walk.pointers[i], walk.pointers[i + 1]};
  return {};
}

}  // namespace

bool Stacks::has_room_to_walk() {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return !is_stack(here) || (here - kStackBase) % kStackStride >= kStackStride - kStackSize + kRoomToWalk;
}

std::uint32_t Stacks::add(std::uintptr_t site) {
  if (!is_recording) return 0;
  static Walk walk;  // its storage is used again
  walk.code.clear();
  walk.pointers.clear();
  if (has_room_to_walk()) _Unwind_Backtrace(&add_frame, &walk);
  cut(walk, site);
  const auto [found, is_new] = known().numbers.try_emplace(walk, static_cast<std::uint32_t>(known().walks.size() + 1));
  if (is_new) known().walks.push_back(&found->first);
  return found->second;
}

std::vector<std::uint64_t> Stacks::get(std::uint32_t stack) {
  if (stack == 0 || stack > known().walks.size()) return {};
  return known().walks[stack - 1]->code;
}

Stacks::Frame Stacks::frame_of(std::uintptr_t address, std::uint32_t moment) {
  if (!is_stack(address)) return {};
  for (std::size_t i = std::min<std::size_t>(moment, known().walks.size()); i-- > 0;)
    if (const Frame frame = frame_in(*known().walks[i], address); frame.code != 0) return frame;
  for (std::size_t i = moment; i < known().walks.size(); ++i)
    if (const Frame frame = frame_in(*known().walks[i], address); frame.code != 0) return frame;
  return {};
}

}  // namespace ordeal::runtime
