#include "runtime/spin.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>
#include <vector>

#include "runtime/heap.h"
#include "runtime/liveness.h"
#include "runtime/native_program.h"
#include "runtime/snapshot.h"
#include "runtime/speculation.h"
#include "runtime/sync.h"
#include "runtime/tls.h"
#include "runtime/virtual_time.h"

namespace ordeal::runtime {
namespace {

constexpr std::size_t kLargestStack = std::size_t{1} << 20;  // beyond, the state is not compared
constexpr int kVisits = 8;
constexpr std::size_t kDeep = 16384;

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

/// Whether what the thread has written since the visit holds its old value again.
bool is_same_memory(const SpinState& spin, const SpinVisit& then) {
  const auto is_older = [&](std::size_t write, std::uintptr_t byte) {  // an earlier one tells what was there
    for (std::size_t i = then.writes; i < write; ++i)
      if (byte - spin.writes[i].address < spin.writes[i].size) return true;
    return false;
  };
  for (std::size_t i = then.writes; i < spin.writes.size(); ++i) {
    const SpinWrite& write = spin.writes[i];
    const auto* now = reinterpret_cast<const unsigned char*>(write.address);
    for (std::size_t byte = 0; byte < write.size; ++byte)
      if (now[byte] != write.old[byte] && !is_older(i, write.address + byte)) return false;
  }
  return true;
}

/// Those that still matter.
bool are_same_registers(const SpinVisit& then, std::uint64_t shift) {
  unsigned different = 0;
  for (unsigned i = 0; i < std::size(then.registers); ++i)
    different |= is_same_word(then.registers[i], ordeal_entry_registers[i], shift) ? 0 : 1U << i;
  return different == 0 || (different & (live_registers(then.site) | ~unsigned{Liveness::kAll})) == 0;
}

bool is_same(const Thread& thread, const SpinVisit& then, const unsigned char* stack, std::size_t size) {
  const auto shift = static_cast<std::uint64_t>(thread.time - then.time);
  return then.holds == thread.spin.holds && then.stack.size() == size && is_same_stack(then.stack.data(), stack, size, shift) &&
         are_same_registers(then, shift);
}

void forget(SpinState& spin) {
  spin.visits_effects = spin.effects;
  spin.writes.clear();
  spin.count = 0;
  spin.steps = 0;
  spin.distance = 1;
  spin.looked_at_count = 0;
  spin.collects = false;
  spin.before = -1;
}

/// The thread has looked at a clock in its loop: it may also come round only after a long time. Once for the same effects.
bool lets_time_jump(Thread& thread, const SpinVisit& then) {
  SpinState& spin = thread.spin;
  if (spin.looks == then.looks || spin.effects_at_jump == spin.effects || choose(2, then.site, model::ChoiceOf::kTime) == 0) return false;
  spin.effects_at_jump = spin.effects;
  forget(spin);
  thread.time += kLongTime;
  return true;
}

}  // namespace

void leave_round_out(Thread& thread, std::uint64_t value) {
  if (is_testing || !reduces_loops) return;
  SpinState& spin = thread.spin;
  if (spin.before < 0 || thread.result.next_is_known) return;
  if (stack_end(thread) - reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) + 2 * kDeep > kStackSize) return;
  const SpinVisit &before = spin.visits[static_cast<std::size_t>(spin.before)], &now = spin.visits[static_cast<std::size_t>(spin.now)];
  const int first = std::exchange(spin.before, -1);
  VainTurns& turns = NativeProgram::instance->vain_turns();
  if (turns.are_made(thread.id, now.site)) return;
  const auto is_in_round = [&](std::uintptr_t site) {
    return std::any_of(spin.visits.begin(), spin.visits.begin() + spin.count, [&](const SpinVisit& visit) { return visit.site == site; });
  };
  const std::uintptr_t next = Speculation::common_next_site(thread, before, now, value);
  scrub_stack();
  if (next == 0 || is_in_round(next)) return;
  turns.note(thread, first, before.first_event);
  NativeProgram::instance->vain_locks().note_turn(thread, before);
  NativeProgram::instance->stop(engine::Cut::kRedundant);
}

namespace {

template <std::size_t Bytes>
inline void clear_below() {
  static_assert(Bytes % 256 == 0);
  alignas(16) unsigned char below[Bytes];
  // A memset would be "rep stos", which takes long to start: this is done at every operation.
  unsigned char* at = below;
  asm volatile("pxor %%xmm0, %%xmm0\n"
               "1:\n"
               ".set offset, 0\n"
               ".rept 16\n"
               "movaps %%xmm0, offset(%0)\n"
               ".set offset, offset + 16\n"
               ".endr\n"
               "add $256, %0\n"
               "cmp %1, %0\n"
               "jne 1b"
               : "+r"(at)
               : "r"(below + Bytes)
               : "xmm0", "memory", "cc");
}

}  // namespace

void scrub_stack() { clear_below<768>(); }
void scrub_after_plain_access() { clear_below<512>(); }
void scrub_stack_deep() { clear_below<kDeep>(); }

std::uint8_t live_registers(std::uintptr_t site) {
  Thread* thread = std::exchange(NativeProgram::current, nullptr);  // what is called here is not the program's
  const std::uint8_t live = Liveness::behind(site);
  NativeProgram::current = thread;
  return live;
}

namespace {

/// The place for another visit, or -1: this one is passed over.
int next_place(SpinState& spin) {
  if (spin.count < kVisits) {
    if (static_cast<int>(spin.visits.size()) <= spin.count) spin.visits.emplace_back();
    return spin.count++;
  }
  if (++spin.steps < spin.distance) return -1;
  spin.steps = 0;
  spin.distance *= 2;
  return kVisits - 1;
}

/// Clears what the memory of atomic objects holds in a copy of the thread's stack from `begin` on: others change it at any time.
void mask_atomics(const Thread& thread, std::uintptr_t begin, std::vector<unsigned char>& copy) {
  NativeProgram::instance->location_table().for_each_on_stack(thread.id, [&](std::uintptr_t address, std::size_t bytes) {
    if (address >= begin && address + bytes <= begin + copy.size()) std::fill_n(copy.begin() + static_cast<std::ptrdiff_t>(address - begin), bytes, 0);
  });
}

std::vector<unsigned char> masked;  // scratch

__attribute__((noinline)) void compare_with_visits(Thread& thread, std::uintptr_t site, std::uintptr_t object, std::uint64_t operand) {
  SpinState& spin = thread.spin;
  const std::uint64_t asked = object + operand * 0x9E3779B97F4A7C15;
  spin.place = -1;
  const std::uintptr_t caller = ordeal_entry_registers[6] + sizeof(void*);
  const std::size_t size = stack_end(thread) - caller;
  spin.now = spin.before = -1;
  if (!has_stamp(site) || size > kLargestStack) return;
  const bool has_atomics = NativeProgram::instance->location_table().has_on_stack(thread.id);
  const auto* stack = reinterpret_cast<const unsigned char*>(caller);
  if (has_atomics) {
    masked.assign(stack, stack + size);
    mask_atomics(thread, caller, masked);
    stack = masked.data();
  }
  if (spin.visits_effects != spin.effects) forget(spin);
  int turns_made = 0;  // in vain, because it shall
  for (int i = 0; i < spin.count; ++i) {
    SpinVisit& then = spin.visits[static_cast<std::size_t>(i)];
    if (has_atomics && then.stack.size() == size) mask_atomics(thread, caller, then.stack);  // some were not known yet
    if (then.asked != asked || !is_same_memory(spin, then) || then.site != site) continue;
    if (is_same(thread, then, stack, size)) {
      if (lets_time_jump(thread, then)) return;
      if (!reduces_loops) continue;
      VainTurns& turns = NativeProgram::instance->vain_turns();
      if (turns.are_made(thread.id, site, then.turns_made)) {
        turns_made = then.turns_made + 1;
        spin.tries = then.tries;
        forget(spin);  // what it wrote is as it was
        break;
      }
      const base::ClockEntry first_event = std::exchange(then.first_event, thread.hb[thread.id]);
      if (thread.result.next_is_known) continue;  // run again, and it was not stopped here
      spin.first_event = first_event;
      turns.note(thread, i, first_event);
      NativeProgram::instance->vain_locks().note_turn(thread, then);
      // (The same place and state may be the thread's first turn, which stores it for the first time: nothing is learnt.)
      if (then.repetitions == spin.repetitions) NativeProgram::instance->waiting_places().note_round(thread, i);
      return NativeProgram::instance->stop_waiting(site);
    }
    if (then.stack.size() == size && then.holds == spin.holds && then.time == thread.time) spin.before = i;
  }
  spin.now = next_place(spin);
  if (spin.now < 0 || spin.now == spin.before) {
    spin.before = -1;
    if (spin.now < 0) return;
  }
  SpinVisit& now = spin.visits[static_cast<std::size_t>(spin.now)];
  now.site = site;
  now.asked = asked;
  now.object = object;
  now.holds = spin.holds;
  now.looks = spin.looks;
  now.locks = spin.locks;
  now.tries = spin.tries;
  now.repetitions = spin.repetitions;
  now.time = thread.time;
  now.first_event = thread.hb[thread.id];
  now.turns_made = turns_made;
  now.writes = spin.writes.size();
  std::copy_n(ordeal_entry_registers, kStampedRegisters, now.registers);
  now.stack.assign(stack, stack + size);
  spin.place = NativeProgram::instance->waiting_places().arrive(thread, now);
}

}  // namespace

void add_registers(Digest& digest, const std::uint64_t* registers, std::uintptr_t site) {
  const unsigned live = live_registers(site);
  for (unsigned i = 0; i < 6; ++i) digest.add((live >> i & 1) != 0 ? registers[i] : 0);
  digest.add(registers[6]);
}

void add_visit(Digest& digest, const SpinVisit& visit) {
  add_registers(digest, visit.registers, visit.site);
  digest.add(visit.stack.data(), visit.stack.size());
}

bool is_sure_to_be_there(const Thread& thread, std::uintptr_t address) {
  return is_heap(address) || is_stack(address) || Snapshot::contains(address) || TlsPool::base(thread.id) - address <= TlsPool::size();
}

void note_plain_write(Thread& thread, std::uintptr_t address, std::size_t size) {
  settle_plain_write(thread);
  if (size > SpinWrite::kMostBytes || !is_sure_to_be_there(thread, address)) return note_effect(thread);
  thread.spin.last_write.address = address;
  thread.spin.last_write.size = size;
  std::memcpy(thread.spin.last_write.old, reinterpret_cast<const void*>(address), size);
}

void look_at_plain_write(Thread& thread) {
  constexpr std::size_t kMostWrites = 64;
  SpinState& spin = thread.spin;
  if (std::memcmp(reinterpret_cast<const void*>(spin.last_write.address), spin.last_write.old, spin.last_write.size) != 0) {
    if (spin.visits_effects != spin.effects) forget(spin);
    if (spin.writes.size() < kMostWrites) spin.writes.push_back(spin.last_write);
    else ++spin.effects;
  }
  spin.last_write.size = 0;
}

void check_for_waiting_loop(Thread& thread, std::uintptr_t site, const volatile void* object, std::uint64_t operand) {
  if (is_testing) return;
  settle_plain_write(thread);
  compare_with_visits(thread, site, reinterpret_cast<std::uintptr_t>(object), operand);
  scrub_stack();
}

}  // namespace ordeal::runtime
