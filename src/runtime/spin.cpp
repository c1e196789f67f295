#include "runtime/spin.h"

#include <algorithm>
#include <cstring>

#include "runtime/native_program.h"

namespace ordeal::runtime {
namespace {

constexpr std::size_t kLargestStack = std::size_t{1} << 20;  // beyond, the state is not compared

std::uintptr_t stack_end(const Thread& thread) { return kStackBase + kStackStride * (static_cast<std::size_t>(thread.id) + 1); }

bool is_same(const SpinState& spin, std::uintptr_t site, const unsigned char* stack, std::size_t size) {
  return spin.site == site && spin.effects == spin.anchor_effects && spin.stack.size() == size &&
         std::equal(std::begin(spin.registers), std::end(spin.registers), ordeal_entry_registers) &&
         std::memcmp(spin.stack.data(), stack, size) == 0;
}

}  // namespace

void check_for_waiting_loop(Thread& thread, std::uintptr_t site) {
  SpinState& spin = thread.spin;
  const std::uintptr_t caller = ordeal_entry_registers[6] + sizeof(void*);
  const std::size_t size = stack_end(thread) - caller;
  if (size > kLargestStack) return;
  const auto* stack = reinterpret_cast<const unsigned char*>(caller);
  if (is_same(spin, site, stack, size)) NativeProgram::instance->stop_waiting(site);
  if (spin.effects != spin.anchor_effects) spin.distance = 1;
  else if (++spin.steps < spin.distance) return;
  else spin.distance *= 2;
  spin.steps = 0;
  spin.site = site;
  spin.anchor_effects = spin.effects;
  spin.first_event = thread.hb[thread.id];
  std::copy(std::begin(ordeal_entry_registers), std::end(ordeal_entry_registers), spin.registers);
  spin.stack.assign(stack, stack + size);
}

}  // namespace ordeal::runtime
