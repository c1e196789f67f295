// Of the code of the program, as it is in this process.
#include <iterator>
#include <map>
#include <utility>
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
DeadBytes dead;
std::map<std::uintptr_t, std::uint8_t> known;  // registers, and the result

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

void look_at_stack() { dead = StackLiveness::look_at(asked.site, asked.stack, asked.size, kReader); }

}  // namespace

std::uint8_t Liveness::behind(std::uintptr_t site) { return answer_of(site) & kAll; }
bool Liveness::is_result_used(std::uintptr_t site) { return (answer_of(site) & kResult) != 0; }

DeadBytes StackLiveness::after(std::uintptr_t site, const unsigned char* stack, std::size_t size) {
  asked = {site, stack, size};
  ordeal_call_on_stack(&look_at_stack, std::end(own_stack));
  return std::exchange(dead, {});
}

}  // namespace ordeal::runtime
