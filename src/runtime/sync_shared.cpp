// Read-write locks, semaphores and barriers (sync.h).
#include "runtime/access.h"
#include "runtime/loops/trace.h"
#include "runtime/sync.h"
#include "runtime/sync_operations.h"

namespace ordeal::runtime {

using engine::OperationKind;
using model::Access;
using model::MemoryOrder;
using model::RmwFunction;

namespace {

Thread& self() { return *NativeProgram::current; }

void note_writer(const void* object) { note_held_by_self(object, LocationSort::kSharedMutex); }

void note_reader(const void* object, int by) {
  note_hold(self(), object, by);
  NativeLocation& state = state_of(object, LocationSort::kSharedMutex);
  state.depth += by;
  if (by > 0) NativeProgram::instance->vain_locks().note_lock(self(), state);
  times_held_shared(object) += by;
}

/// Of an operation that always goes on; returns what was there. (Its kind says that nothing is promised to it: explore/load_buffering.h.)
model::Value add(const void* object, LocationSort sort, model::Value operand, MemoryOrder order, std::uintptr_t site) {
  Access access = rmw_on(object, sort, RmwFunction::kAdd, operand);
  access.order = order;
  return sync_operation(OperationKind::kNotify, access, site).value;
}

void store(const void* object, LocationSort sort, model::Value value, std::uintptr_t site) {
  Access access = sync_access(object, sort);
  access.kind = model::EventKind::kWrite;
  access.order = MemoryOrder::kRelaxed;
  access.operand = value;
  sync_operation(OperationKind::kStore, access, site);
}

}  // namespace

bool lock_exclusive(const void* object, std::uintptr_t site) {
  if (!wait_for_turn(object, LocationSort::kSharedMutex, RmwFunction::kCompareExchange, site)) return false;
  note_writer(object);
  return true;
}
bool try_lock_exclusive(const void* object, std::uintptr_t site, TryFails fails) {
  if (!try_turn(object, LocationSort::kSharedMutex, RmwFunction::kCompareExchange, fails, site)) return false;
  note_writer(object);
  return true;
}
void unlock_exclusive(const void* object, std::uintptr_t site) { unlock_as(LocationSort::kSharedMutex, object, site); }

int& times_held_shared(const void* object) {
  Locations& locations = NativeProgram::instance->location_table();
  const auto id = static_cast<std::uint32_t>(self().id);  // a byte of it is in the size of the location
  return locations[locations.at(reinterpret_cast<std::uintptr_t>(object) + id / 256 * sizeof(void*), id % 256, LocationSort::kReader)].depth;
}

bool lock_shared(const void* object, std::uintptr_t site) {
  if (!wait_for_turn(object, LocationSort::kSharedMutex, RmwFunction::kLockShared, site)) return false;
  note_reader(object, 1);
  return true;
}
bool try_lock_shared(const void* object, std::uintptr_t site, TryFails fails) {
  if (!try_turn(object, LocationSort::kSharedMutex, RmwFunction::kLockShared, fails, site)) return false;
  note_reader(object, 1);
  return true;
}
void unlock_shared(const void* object, std::uintptr_t site) {
  note_reader(object, -1);
  add(object, LocationSort::kSharedMutex, -2, MemoryOrder::kRelease, site);
}

// What a semaphore has can be seen (sem_getvalue), so that taking and posting it is never nothing.

void start_semaphore(const void* object, unsigned count, std::uintptr_t site) {
  store(object, LocationSort::kSemaphore, count, site);
}
bool take(const void* object, std::uintptr_t site) {
  if (!wait_for_turn(object, LocationSort::kSemaphore, RmwFunction::kTake, site)) return false;
  note_effect(self(), trace::KeptBy::kReadModifyWrite, site);
  return true;
}
bool try_take(const void* object, std::uintptr_t site) {
  if (!try_turn(object, LocationSort::kSemaphore, RmwFunction::kTake, TryFails::kIfHeld, site)) return false;
  note_effect(self(), trace::KeptBy::kReadModifyWrite, site);
  return true;
}
std::int64_t post(const void* object, std::uintptr_t site) {
  note_effect(self(), trace::KeptBy::kWakeUp, site);
  return add(object, LocationSort::kSemaphore, 1, MemoryOrder::kRelease, site);
}
std::int64_t semaphore_value(const void* object, std::uintptr_t site) {
  Access access = sync_access(object, LocationSort::kSemaphore);
  access.order = MemoryOrder::kRelaxed;
  return sync_operation(OperationKind::kLoad, access, site).value;
}

void start_barrier(const void* object, std::uintptr_t site) {
  store(object, LocationSort::kBarrier, 0, site);
  state_of(object, LocationSort::kBarrier).depth = 0;
}

bool meet(const void* object, unsigned count, std::uintptr_t site) {
  note_effect(self(), trace::KeptBy::kWakeUp, site);
  const model::Value before = add(object, LocationSort::kBarrier, 1, MemoryOrder::kAcqRel, site);
  const bool is_last = before % count == count - 1;
  state_of(object, LocationSort::kBarrier).depth = is_last ? 0 : static_cast<int>(before % count) + 1;
  if (is_last) return true;
  Access access = sync_access(object, LocationSort::kBarrier);
  access.order = MemoryOrder::kAcquire;
  access.await = model::Await::kReached;
  access.expected = (before / count + 1) * count;
  sync_operation(OperationKind::kAwait, access, site);
  return false;
}

}  // namespace ordeal::runtime
