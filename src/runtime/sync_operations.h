// What the operations on sync objects share (sync.h).
#pragma once

#include <cstdint>

#include "runtime/access.h"
#include "runtime/sync.h"

namespace ordeal::runtime {

NativeLocation& state_of(const void* object, LocationSort sort);
/// A relaxed read-modify-write.
model::Access rmw_on(const void* object, LocationSort sort, model::RmwFunction function, model::Value operand);
/// Waits until the function applies: the object is free.
bool wait_for_turn(const void* object, LocationSort sort, model::RmwFunction function, std::uintptr_t site,
                   model::MemoryOrder order = model::MemoryOrder::kAcquire);
bool try_turn(const void* object, LocationSort sort, model::RmwFunction function, TryFails fails, std::uintptr_t site);
/// A robust mutex is taken by the last operation, and given back (sync_robust.cpp).
void note_robust_held(const void* object);
void unlock_robust(const void* object, std::uintptr_t site);
/// The running thread has locked it, for itself alone.
void note_held_by_self(const void* object, LocationSort sort);
void unlock_as(LocationSort sort, const void* object, std::uintptr_t site,
               model::MemoryOrder order = model::MemoryOrder::kRelease, model::Value left = 0);

/// Condition variables. Sets or clears the thread's bit among those who wait; returns what was there.
model::Value set_waiting(const void* condition, model::Value bit, bool waits, std::uintptr_t site,
                         model::MemoryOrder order = model::MemoryOrder::kRelaxed);
/// How many words of waiters it has, of so many threads each, and an operation on one of them.
constexpr int kThreadsOfWord = 63;
int words_of(const void* condition);
model::Access notification(const void* condition, model::RmwFunction function, int word);
model::Value own_bit(std::uintptr_t site);
bool await_wake_up(const void* condition, model::Value bit, std::uintptr_t site);
/// The thread gives up waiting by itself; false: it has been woken meanwhile. That is as if it had waited for it, which is another
/// execution.
bool gives_up_waiting(const void* condition, model::Value bit, std::uintptr_t site);

}  // namespace ordeal::runtime
