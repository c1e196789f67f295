#include "runtime/spin.h"

#include <algorithm>
#include <cstring>

#include "runtime/native_program.h"
#include "runtime/sync.h"
#include "runtime/virtual_time.h"

namespace ordeal::runtime {
namespace {

constexpr std::size_t kLargestStack = std::size_t{1} << 20;  // beyond, the state is not compared

std::uintptr_t stack_end(const Thread& thread) { return kStackBase + kStackStride * (static_cast<std::size_t>(thread.id) + 1); }

bool is_time(std::uint64_t nanoseconds) { return nanoseconds - kClockStart < std::uint64_t{kLongTime} * 1000; }
bool is_seconds(std::uint64_t seconds) { return is_time(seconds * kSecond); }

/// Whether `now` is what `then` was, or the same time seen `shift` nanoseconds later: as a count, or as a part of a timespec.
bool is_same_word(std::uint64_t then, std::uint64_t now, std::uint64_t shift) {
  if (then == now) return true;
  if (shift == 0) return false;
  if (is_time(then) && now - then == shift) return true;
  if (is_seconds(then) && (now - then == shift / kSecond || now - then == shift / kSecond + 1)) return true;
  return then < kSecond && now < kSecond && (now + kSecond - then) % kSecond == shift % kSecond;
}

bool is_same_stack(const unsigned char* then, const unsigned char* now, std::size_t size, std::uint64_t shift) {
  if (std::memcmp(then, now, size) == 0) return true;
  if (shift == 0) return false;
  for (std::size_t i = 0; i < size; i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0, other = 0;
    std::memcpy(&word, then + i, std::min(sizeof word, size - i));
    std::memcpy(&other, now + i, std::min(sizeof other, size - i));
    if (!is_same_word(word, other, shift)) return false;
  }
  return true;
}

bool is_same(const Thread& thread, std::uintptr_t site, const unsigned char* stack, std::size_t size) {
  const SpinState& spin = thread.spin;
  const auto shift = static_cast<std::uint64_t>(thread.time - spin.anchor_time);
  return spin.site == site && spin.effects == spin.anchor_effects && spin.holds == spin.anchor_holds && spin.stack.size() == size &&
         std::equal(std::begin(spin.registers), std::end(spin.registers), ordeal_entry_registers,
                    [&](std::uint64_t then, std::uint64_t now) { return is_same_word(then, now, shift); }) &&
         is_same_stack(spin.stack.data(), stack, size, shift);
}

/// The thread has looked at a clock in its loop: it may also come round only after a long time. Once for the same effects.
bool lets_time_jump(Thread& thread, std::uintptr_t site) {
  SpinState& spin = thread.spin;
  if (spin.looks == spin.anchor_looks || spin.effects_at_jump == spin.effects || choose(2, site) == 0) return false;
  spin.effects_at_jump = spin.effects;
  spin.site = 0;
  spin.distance = 1;
  thread.time += kLongTime;
  return true;
}

}  // namespace

void scrub_stack() {
  unsigned char below[768];
  std::memset(below, 0, sizeof below);
  asm volatile("" : : "r"(below) : "memory");
}

namespace {

__attribute__((noinline)) void compare_with_anchor(Thread& thread, std::uintptr_t site) {
  SpinState& spin = thread.spin;
  const std::uintptr_t caller = ordeal_entry_registers[6] + sizeof(void*);
  const std::size_t size = stack_end(thread) - caller;
  if (size > kLargestStack) return;
  const auto* stack = reinterpret_cast<const unsigned char*>(caller);
  if (is_same(thread, site, stack, size)) {
    if (lets_time_jump(thread, site)) return;
    NativeProgram::instance->stop_waiting(site);
  }
  if (spin.effects != spin.anchor_effects) spin.distance = 1;
  else if (++spin.steps < spin.distance) return;
  else spin.distance *= 2;
  spin.steps = 0;
  spin.site = site;
  spin.anchor_effects = spin.effects;
  spin.anchor_holds = spin.holds;
  spin.anchor_looks = spin.looks;
  spin.anchor_time = thread.time;
  spin.first_event = thread.hb[thread.id];
  std::copy(std::begin(ordeal_entry_registers), std::end(ordeal_entry_registers), spin.registers);
  spin.stack.assign(stack, stack + size);
}

}  // namespace

void check_for_waiting_loop(Thread& thread, std::uintptr_t site) {
  compare_with_anchor(thread, site);
  scrub_stack();
}

}  // namespace ordeal::runtime
