#include "runtime/loops/configuration.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "runtime/heap.h"
#include "runtime/loops/liveness.h"
#include "runtime/loops/stack_liveness.h"
#include "runtime/native_program.h"
#include "runtime/snapshot.h"
#include "runtime/tls.h"
#include "runtime/virtual_time.h"

namespace ordeal::runtime {
namespace {

bool is_time(std::uint64_t nanoseconds) { return nanoseconds - kClockStart < std::uint64_t{kLongTime} * 1000; }
bool is_seconds(std::uint64_t seconds) { return is_time(seconds * kSecond); }

/// Whether `now` is what `then` was, or the same time seen `shift` nanoseconds later: as a count, or as a part of a timespec. The clock moves by amounts that
/// the program does not know (intercept_time.cpp), so what has moved by just as much was read from it: a counter does not, nor a sum of what was slept.
bool is_same_word(std::uint64_t then, std::uint64_t now, std::uint64_t shift) {
  if (then == now) return true;
  if (shift % 1000 == 0) return false;
  if (is_time(then) && now - then == shift) return true;
  if (is_seconds(then) && (now - then == shift / kSecond || now - then == shift / kSecond + 1)) return true;
  return then < kSecond && now < kSecond && (now + kSecond - then) % kSecond == shift % kSecond;
}

/// REQUIRES: they are not the same.
bool is_shifted_stack(const StackCopy& then, const StackCopy& now, std::uint64_t shift) {
  if (then.size() != now.size() || shift == 0) return false;
  for (std::size_t i = 0; i < then.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0, other = 0;
    std::memcpy(&word, then.data() + i, std::min(sizeof word, then.size() - i));
    std::memcpy(&other, now.data() + i, std::min(sizeof other, then.size() - i));
    if (!is_same_word(word, other, shift)) return false;
  }
  return true;
}

/// Those that still matter.
bool are_same_registers(const Step& one, const Step& other, std::uint64_t shift) {
  unsigned different = 0;
  for (unsigned i = 0; i < std::size(one.registers); ++i)
    different |= is_same_word(one.registers[i], other.registers[i], shift) ? 0 : 1U << i;
  if (different == 0) return true;
  return (different & ~unsigned{Liveness::kAll}) == 0 && (different & live_registers(one.call.site)) == 0;
}

}  // namespace

void clear_dead(const Step& step) {
  if (step.is_dead_cleared || step.call.kind == Call::Kind::kEnd) return;
  step.is_dead_cleared = true;
  Thread* thread = std::exchange(NativeProgram::current, nullptr);  // what is called here is not the program's
  const DeadBytes& dead = StackLiveness::after(step.call.site, step.stack.data(), step.stack.size());
  NativeProgram::current = thread;
  for (const DeadBytes::Range& range : dead.ranges) {
    const std::size_t begin = static_cast<std::size_t>(range.begin), end = std::min(static_cast<std::size_t>(range.end), step.stack.size());
    if (begin < end) std::fill(step.stack.own_data() + begin, step.stack.own_data() + end, 0);
  }
}

bool has_same_stack(const Step& one, const Step& other) {
  if (one.stack.size() != other.stack.size()) return false;
  if (one.stack == other.stack) return true;
  clear_dead(one);
  clear_dead(other);
  return one.stack == other.stack;
}

bool has_same_registers(const Step& one, const Step& other) { return are_same_registers(one, other, 0); }

bool is_same_configuration(const Thread& thread, const Step& then, const Step& now) {
  const auto shift = static_cast<std::uint64_t>(now.time - then.time);
  return then.call == now.call && then.holds == now.holds && is_same_memory(thread.spin, then) && (has_same_stack(then, now) || is_shifted_stack(then.stack, now.stack, shift)) && are_same_registers(then, now, shift);
}

unsigned char byte_at(const Thread& thread, const Step& then, std::uintptr_t address) {
  const std::vector<MemoryPiece>& writes = thread.spin.writes;
  for (std::size_t i = then.writes; i < writes.size(); ++i)
    if (writes[i].has(address)) return writes[i].byte(address);
  return *reinterpret_cast<const unsigned char*>(address);
}

bool is_same_memory(const LoopTrace& trace, const Step& then) {
  const auto is_older = [&](std::size_t write, std::uintptr_t byte) {  // an earlier one says what was there
    for (std::size_t i = then.writes; i < write; ++i)
      if (trace.writes[i].has(byte)) return true;
    return false;
  };
  for (std::size_t i = then.writes; i < trace.writes.size(); ++i) {
    const MemoryPiece& write = trace.writes[i];
    const auto* now = reinterpret_cast<const unsigned char*>(write.address);
    for (std::size_t byte = 0; byte < write.size; ++byte)
      if (now[byte] != write.bytes[byte] && !is_older(i, write.address + byte)) return false;
  }
  return true;
}

void mask_atomics(const Thread& thread, std::uintptr_t begin, StackCopy& copy) {
  Locations& table = NativeProgram::instance->location_table();
  if (!table.has_on_stack(thread.id)) return;
  table.for_each_on_stack(thread.id, [&](std::uintptr_t address, std::size_t bytes) {
    if (address >= begin && address + bytes <= begin + copy.size()) std::fill_n(copy.own_data() + (address - begin), bytes, 0);
  });
}

bool is_sure_to_be_there(const Thread& thread, std::uintptr_t address) {
  return is_heap(address) || is_stack(address) || Snapshot::contains(address) || TlsPool::base(thread.id) - address <= TlsPool::size();
}

std::uint8_t live_registers(std::uintptr_t site) {
  Thread* thread = std::exchange(NativeProgram::current, nullptr);  // what is called here is not the program's
  const std::uint8_t live = Liveness::behind(site);
  NativeProgram::current = thread;
  return live;
}

bool is_result_used(std::uintptr_t site) {
  Thread* thread = std::exchange(NativeProgram::current, nullptr);
  const bool is_used = Liveness::is_result_used(site);
  NativeProgram::current = thread;
  return is_used;
}

namespace {

void add_call(Digest& digest, const Call& call) {
  digest.add(call.site);
  digest.add(call.address);
  digest.add(call.expected_at);
  digest.add(call.operand);
  digest.add(call.expected);
  digest.add(call.size);
  digest.add(static_cast<std::uint64_t>(call.kind) | static_cast<std::uint64_t>(call.order) << 8 | static_cast<std::uint64_t>(call.failure_order) << 16);
}

void add_registers_and_stack(Digest& digest, const Step& step) {
  const unsigned live = live_registers(step.call.site);
  clear_dead(step);
  for (unsigned i = 0; i < 6; ++i) digest.add((live >> i & 1) != 0 ? step.registers[i] : 0);
  digest.add(step.registers[6]);
  digest.add(step.stack.data(), step.stack.size());
}

}  // namespace

Digest digest_of(const Thread& thread, const Step& step) {
  Digest digest;
  digest.add(static_cast<std::uint64_t>(thread.id));
  add_call(digest, step.call);
  digest.add(step.holds);
  digest.add(static_cast<std::uint64_t>(step.time));
  add_registers_and_stack(digest, step);
  return digest;
}

}  // namespace ordeal::runtime
