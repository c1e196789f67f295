// Sync objects: mutexes and condition variables as locations of the graph (memory-model.md, section 4b).
//
//   mutex       0 free, 1 held. lock and unlock are operations of their own; try_lock is a compare-exchange.
//   condition   the set of threads that wait, a bit each. wait: set the own bit, unlock, await that it is clear, lock.
//               notify_one clears one bit (which: a choice), notify_all clears all. Nothing of this synchronises.
#pragma once

#include <cstdint>

namespace ordeal::runtime {

/// `object` is any address that names the mutex.
void lock(const void* object, std::uintptr_t site);
/// It may fail though the mutex is free, if another thread has held it before: that stands for rounds of waiting loops that
/// are left out (spin.h). That it fails if nobody else is near, which the standard allows, is what nobody expects.
bool try_lock(const void* object, std::uintptr_t site, bool may_fail_spuriously = true);
void unlock(const void* object, std::uintptr_t site);
/// The thread that holds it, or -1.
int holder(const void* object);

void wait(const void* condition, const void* mutex, std::uintptr_t site);
/// False: it timed out.
bool wait_timed(const void* condition, const void* mutex, std::uintptr_t site);
void notify_one(const void* condition, std::uintptr_t site);
void notify_all(const void* condition, std::uintptr_t site);

/// Any value below `alternatives`: a branch of the search. `is_programs`: the program asked for it.
unsigned choose(unsigned alternatives, std::uintptr_t site, bool is_programs = false);

/// Whether waits may end and weak operations fail without a reason.
extern bool explore_spurious;

}  // namespace ordeal::runtime
