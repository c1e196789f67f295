// Races of random testing (testing.h): plain accesses, memory that ends, and who raced with whom, when the execution is run again.
#include <algorithm>
#include <utility>

#include "runtime/annotations.h"
#include "runtime/debugger.h"
#include "runtime/repetition.h"
#include "runtime/stacks.h"
#include "runtime/test_heap.h"
#include "runtime/test_recorder.h"
#include "runtime/testing.h"

namespace ordeal::runtime {

void Testing::look_at_plain(std::uintptr_t address, std::size_t size, bool is_write, std::uintptr_t site) {
  if (is_watched_) look_for_watched(address, size, is_write, false, site);
  if (is_counting_ && in_vain_ <= kTakesTurns) set_counting(false);
  else if (is_counting_ && is_write) Repetition::note_write(self(), address, size);
}

void Testing::note_freed(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
  constexpr std::size_t kMost = 4096, kMostLookedAt = std::size_t{1} << 20;  // of a large block
  if (TestRecorder::is_on) [[unlikely]] TestRecorder::finish_write();
  if (is_alone_) return;
  if (is_watched_) [[unlikely]] look_for_watched(address, std::min(size, kMost), true, false, site);
  RaceShadow::note_freed(address, std::min(size, kMost), site);
  if (size > kMost) RaceShadow::look_at_freed(address + kMost, std::min(size, kMostLookedAt) - kMost, site);
}

void Testing::note_use(const void* object, std::uintptr_t site) {
  if (is_alone_) return;
  if (is_watched_) [[unlikely]] look_for_watched(reinterpret_cast<std::uintptr_t>(object), 1, true, true, site);
  RaceShadow::note_atomic(RaceShadow::atomic_at(reinterpret_cast<std::uintptr_t>(object), 1), true, site);
}

/// Each pair of places once in an execution.
void Testing::note_race(std::uintptr_t address, std::size_t size, const RaceAccess& access, RaceAccess other) {
  if (const std::uint32_t site = other.is_write && !other.is_atomic ? TestHeap::where_given_out(address, other.thread, other.tick) : 0; site != 0) other.site = site;
  if (Annotations::is_ignored(access.site, other.site, address, size)) return;
  for (const Race& race : races_)
    if ((race.access.site == access.site && race.other.site == other.site) || (race.access.site == other.site && race.other.site == access.site)) return;
  if (Debugger::is_on && Debugger::race == access.site) Debugger::stop_at(trace::BugKind::kDataRace);
  const bool was_recording = std::exchange(Stacks::is_recording, true);
  const std::uint32_t stack = NativeProgram::instance->stack_here(0);
  Stacks::is_recording = was_recording;
  if (is_watched_ && access.site == watched_for_.site && access.thread == watched_for_.thread && address == watched_address_ && is_watched(other.thread, other.tick)) stop_watching();
  races_.push_back({address, size, access, other, stack, 0, TestRecorder::is_on ? TestRecorder::here(access.thread) : TestRecorder::Place()});
  races_.back().other.tick -= sampler_.memory().base();  // of this execution, whenever it is run
}

void Testing::watch(const Race& race) {
  is_watched_ = true;
  watched_ = race.other;
  watched_for_ = race.access;
  watched_address_ = race.address;
  watched_size_ = race.size;
  watched_stack_ = 0;
  watched_place_ = {};
}

/// The last one of the thread in that tick is the one that the shadow had. (A compare-exchange may be in the next one already.)
void Testing::look_for_watched(std::uintptr_t address, std::size_t size, bool is_write, bool is_atomic, std::uintptr_t site, bool is_allocation) {
  const Thread& thread = self();
  if (!is_watched(thread.id, RaceShadow::tick()) || is_write != watched_.is_write || is_atomic != watched_.is_atomic) return;
  if (address + size <= watched_address_ || watched_address_ + watched_size_ <= address) return;
  const bool was_recording = std::exchange(Stacks::is_recording, true);
  watched_stack_ = NativeProgram::instance->stack_here(site);
  watched_place_ = TestRecorder::is_on ? TestRecorder::here(thread.id) : TestRecorder::Place();
  watched_.site = static_cast<std::uint32_t>(site);
  found_address_ = address;
  found_size_ = size;
  found_allocation_ = is_allocation;
  Stacks::is_recording = was_recording;
}

}  // namespace ordeal::runtime
