// Robust mutexes (sync.h).
//
// Bit 0 of the state says that it is held, the others how it was left: Left. A lock sets bit 0 and reads the rest. A thread that ends unlocks what it holds,
// the last one first, and leaves kByEndedThread; whoever takes that and unlocks it without having made it consistent leaves kForGood. What is
// lost for good is taken and given back at once by each who locks it, which synchronises with nobody but the one who left it so.
#include <cstdint>

#include "runtime/access.h"
#include "runtime/sync.h"
#include "runtime/sync_operations.h"

namespace ordeal::runtime {

using model::MemoryOrder;

namespace {

Thread& self() { return *NativeProgram::current; }
Locations& locations() { return NativeProgram::instance->location_table(); }
NativeLocation& mutex_at(const void* object) { return state_of(object, LocationSort::kMutex); }

/// The thread holds it no more.
void unlink(const NativeLocation& mutex) {
  std::int32_t* link = &self().held_robust;
  while (*link >= 0) {
    NativeLocation& held = locations()[model::LocationId{*link}];
    if (&held == &mutex) {
      *link = held.next_held;
      return;
    }
    link = &held.next_held;
  }
}

}  // namespace

void note_robust(const void* object) { mutex_at(object).is_robust = true; }
Left how_left(const void* object) { return static_cast<Left>(mutex_at(object).left); }
bool last_try_found_it_lost() { return (self().result.value & static_cast<model::Value>(Left::kForGood)) != 0; }
void make_consistent(const void* object) { mutex_at(object).left = 0; }

void note_robust_held(const void* object) {
  const model::LocationId location = sync_access(object, LocationSort::kMutex).location;
  NativeLocation& mutex = locations()[location];
  mutex.left = static_cast<std::uint8_t>(self().result.value);
  mutex.next_held = self().held_robust;
  self().held_robust = number(location);
}

void unlock_robust(const void* object, std::uintptr_t site) {
  const Left found = how_left(object);
  unlink(mutex_at(object));
  const bool is_lost = found == Left::kForGood;
  unlock_as(LocationSort::kMutex, object, site, is_lost ? MemoryOrder::kRelaxed : MemoryOrder::kRelease,
            static_cast<model::Value>(found == Left::kWell ? Left::kWell : Left::kForGood));
}

void leave_robust_mutexes() {
  while (self().held_robust >= 0) {
    const NativeLocation& mutex = locations()[model::LocationId{self().held_robust}];
    const auto* object = reinterpret_cast<const void*>(mutex.address);
    self().held_robust = mutex.next_held;
    if (mutex.holder != self().id) continue;  // its memory was given back
    require_live(object, self().site);
    unlock_as(LocationSort::kMutex, object, 0, MemoryOrder::kRelease, static_cast<model::Value>(Left::kByEndedThread));
  }
}

}  // namespace ordeal::runtime
