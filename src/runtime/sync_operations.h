// What the operations on sync objects share (sync.h).
#pragma once

#include <cstdint>

#include "runtime/access.h"

namespace ordeal::runtime {

NativeLocation& state_of(const void* object, LocationSort sort);
/// A relaxed read-modify-write.
model::Access rmw_on(const void* object, LocationSort sort, model::RmwFunction function, model::Value operand);
/// Waits until the function applies: the object is free.
void wait_for_turn(const void* object, LocationSort sort, model::RmwFunction function, std::uintptr_t site);
bool try_turn(const void* object, LocationSort sort, model::RmwFunction function, bool may_fail_spuriously,
              std::uintptr_t site);
void unlock_as(LocationSort sort, const void* object, std::uintptr_t site);

}  // namespace ordeal::runtime
