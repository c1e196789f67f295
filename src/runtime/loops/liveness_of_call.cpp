// Of the code of the program, as it is in this process.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <unordered_map>
#include <vector>

#include "runtime/loops/catches.h"
#include "runtime/loops/code_paths.h"
#include "runtime/loops/liveness.h"
#include "runtime/loops/other_stack.h"
#include "runtime/loops/stack_liveness.h"

namespace ordeal::runtime {
namespace {

alignas(64) unsigned char own_stack[std::size_t{256} << 10];  // it goes deep, and must leave nothing on the program's

struct Question {
  std::uintptr_t site = 0;
  const unsigned char* stack = nullptr;
  std::size_t size = 0;
};
Question asked;
std::map<std::uintptr_t, std::uint8_t> known;  // registers, and the result

/// What is dead depends on the code, and of the stack on its size and the return addresses alone.
struct KnownStack {
  std::size_t size = 0;
  DeadBytes dead;
  bool is_of(const unsigned char* stack, std::size_t stack_size) const {
    return size == stack_size && std::all_of(dead.returns.begin(), dead.returns.end(), [&](const DeadBytes::Return& one) { return std::memcmp(stack + one.at, &one.site, sizeof one.site) == 0; });
  }
};
constexpr std::size_t kMostStacks = 16;  // of a site; recursion has more, and they take each other's place
std::unordered_map<std::uintptr_t, std::vector<KnownStack>> stacks;

constexpr CodeReader kReader = {&CodePaths::callee_at, &add_catches, &CodePaths::is_instrumented};

void look_at_registers() {
  std::vector<std::uintptr_t> catches;
  const std::uintptr_t function = Liveness::function_of(asked.site);
  known[asked.site] = function != 0 && add_catches(function, catches) ? Liveness::look_at(asked.site, function, catches) : Liveness::kAll | Liveness::kResult;
}

std::uint8_t answer_of(std::uintptr_t site) {
  const auto found = known.find(site);
  if (found != known.end()) return found->second;
  asked = {site};
  ordeal_call_on_stack(&look_at_registers, std::end(own_stack));
  return known[site];
}

void look_at_stack() {
  std::vector<KnownStack>& of_site = stacks[asked.site];
  if (of_site.size() >= kMostStacks) of_site.clear();
  of_site.push_back({asked.size, StackLiveness::look_at(asked.site, asked.stack, asked.size, kReader)});
}

}  // namespace

std::uint8_t Liveness::behind(std::uintptr_t site) { return answer_of(site) & kAll; }
bool Liveness::is_result_used(std::uintptr_t site) { return (answer_of(site) & kResult) != 0; }

const DeadBytes& StackLiveness::after(std::uintptr_t site, const unsigned char* stack, std::size_t size) {
  if (const auto found = stacks.find(site); found != stacks.end()) {
    for (const KnownStack& one : found->second)
      if (one.is_of(stack, size)) return one.dead;
  }
  asked = {site, stack, size};
  ordeal_call_on_stack(&look_at_stack, std::end(own_stack));
  return stacks[site].back().dead;
}

}  // namespace ordeal::runtime
