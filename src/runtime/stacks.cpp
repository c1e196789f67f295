#include "runtime/stacks.h"

#include <unwind.h>

#include <algorithm>

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

_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* stack) {
  int is_before_instruction = 0;
  const std::uintptr_t address = _Unwind_GetIPInfo(context, &is_before_instruction);
  if (address == 0) return _URC_END_OF_STACK;
  static_cast<std::vector<std::uint64_t>*>(stack)->push_back(address + (is_before_instruction != 0 ? 1 : 0));
  return _URC_NO_REASON;
}

}  // namespace

std::uint32_t Stacks::add(std::uintptr_t site) {
  if (!is_recording) return 0;
  std::vector<std::uint64_t> stack;
  _Unwind_Backtrace(&add_frame, &stack);
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
