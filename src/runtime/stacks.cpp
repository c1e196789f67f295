#include "runtime/stacks.h"

namespace ordeal::runtime {

bool Stacks::is_recording = false;

namespace {
std::vector<std::vector<std::uint64_t>>& all() {
  static std::vector<std::vector<std::uint64_t>> stacks;
  return stacks;
}
}  // namespace

void Stacks::clear() { all().clear(); }

std::uint32_t Stacks::add(std::uintptr_t site, const std::uintptr_t* calls, int depth) {
  if (!is_recording) return 0;
  std::vector<std::uint64_t> stack{site};
  for (int i = depth - 1; i >= 0; --i) stack.push_back(calls[i]);
  all().push_back(std::move(stack));
  return static_cast<std::uint32_t>(all().size());
}

std::vector<std::uint64_t> Stacks::get(std::uint32_t stack) {
  if (stack == 0 || stack > all().size()) return {};
  return all()[stack - 1];
}

}  // namespace ordeal::runtime
