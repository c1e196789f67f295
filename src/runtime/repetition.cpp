#include "runtime/repetition.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "runtime/digest.h"
#include "runtime/entry.h"
#include "runtime/layout.h"
#include "runtime/snapshot.h"

namespace ordeal::runtime {
namespace {

constexpr int kRegisters = 7;                       // the last is the stack pointer
constexpr std::size_t kMostOfStack = 16 * 1024;     // what lies further up belongs to who has called the loop

constexpr std::size_t kMostWritten = 16, kMostBytes = 64;  // places; bytes of each

/// Memory that was written since the state was kept, as it was then.
struct Written {
  std::uintptr_t address;
  std::size_t size;
  unsigned char before[kMostBytes];
};

struct Visit {
  std::uint64_t registers[kRegisters] = {};
  Digest stack;
  std::uint64_t count = 0, replaced_at = 1;
  std::vector<Written> written;
  bool has_written_more = false;  // than is kept
  bool has_come_back = false;
  bool memory_is_as_before() const {
    return !has_written_more && std::all_of(written.begin(), written.end(), [](const Written& place) { return std::memcmp(reinterpret_cast<const void*>(place.address), place.before, place.size) == 0; });
  }
};
std::vector<Visit> visits;  // by thread

}  // namespace

void Repetition::begin() { visits.clear(); }

void Repetition::look_at(const Thread& thread) {
  if (static_cast<std::size_t>(thread.id) >= visits.size()) visits.resize(static_cast<std::size_t>(thread.id) + 1);
  Visit& visit = visits[static_cast<std::size_t>(thread.id)];
  const std::uint64_t stack = ordeal_entry_registers[kRegisters - 1], end = stack_end(thread.id);
  const bool is_its_own = stack < end && stack >= end - kStackSize;  // else it came here by a function without a stub
  if (visit.has_come_back || !is_its_own) return;
  const bool is_new = ++visit.count >= visit.replaced_at;
  const bool is_alike = std::memcmp(visit.registers, ordeal_entry_registers, sizeof visit.registers) == 0;
  if (!is_new && !is_alike) return;
  Digest now;
  now.add(reinterpret_cast<const void*>(stack), std::min<std::size_t>(end - stack, kMostOfStack));
  visit.has_come_back = is_alike && now == visit.stack && visit.memory_is_as_before();
  if (!is_new) return;
  std::memcpy(visit.registers, ordeal_entry_registers, sizeof visit.registers);
  visit.stack = now;
  visit.written.clear();
  visit.has_written_more = false;
  visit.replaced_at = 2 * visit.count;
}

void Repetition::note_write(const Thread& thread, std::uintptr_t address, std::size_t size) {
  if (static_cast<std::size_t>(thread.id) >= visits.size()) return;
  Visit& visit = visits[static_cast<std::size_t>(thread.id)];
  const std::uint64_t stack = visit.registers[kRegisters - 1];
  if (visit.has_written_more || (address < stack + kMostOfStack && address >= stack_end(thread.id) - kStackSize)) return;
  if (std::any_of(visit.written.begin(), visit.written.end(), [&](const Written& place) { return place.address == address && place.size == size; })) return;
  const bool stays = is_heap(address) || is_stack(address) || Snapshot::contains(address);  // it can still be read when it is compared
  visit.has_written_more = !stays || size > kMostBytes || visit.written.size() == kMostWritten;
  if (visit.has_written_more) return;
  std::memcpy(visit.written.emplace_back(Written{address, size, {}}).before, reinterpret_cast<const void*>(address), size);
}

bool Repetition::is_of_all(std::span<const int> threads) {
  return std::all_of(threads.begin(), threads.end(), [](int t) { return static_cast<std::size_t>(t) < visits.size() && visits[static_cast<std::size_t>(t)].has_come_back; });
}

}  // namespace ordeal::runtime
