// What pthread functions do, for those who call it by other names (intercept_c11.cpp). `site`: where the program called.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "runtime/sync.h"

namespace ordeal::runtime {

/// A pthread_t is the address of the thread's storage in real life; here it is a number that no interleaving changes.
inline constexpr pthread_t kFirstHandle = 0x0DEA1000;

/// False: the call at `site` is not the program's, and on one kernel thread there is nothing to wait for.
bool is_programs_sync(std::uintptr_t site);

int create_thread(pthread_t* handle, const pthread_attr_t* attributes, void* (*routine)(void*), void* argument, std::uintptr_t site);
int join_thread(pthread_t handle, void** returned, std::uintptr_t site);
[[noreturn]] void exit_thread(void* returned);
/// -1: there is no such thread.
int number_of_thread(pthread_t handle);

// The first four may stop a thread that only waits (loops/README.md), so they must be called by an entry point (entry.h).
int lock_mutex(pthread_mutex_t* mutex, std::uintptr_t site);
int try_lock_mutex(pthread_mutex_t* mutex, TryFails fails, std::uintptr_t site);
int lock_mutex_timed(pthread_mutex_t* mutex, const timespec* deadline, std::uintptr_t site);
int wait_until(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline, std::uintptr_t site);
/// Who unlocks what he does not hold: POSIX lets some mutexes tell him (EPERM), C and C++ do not.
enum class Stranger : std::uint8_t { kMayBeTold, kMisusesIt };
int unlock_mutex(pthread_mutex_t* mutex, Stranger stranger, std::uintptr_t site);
int destroy_mutex(pthread_mutex_t* mutex, std::uintptr_t site);
int wait_for_notification(pthread_cond_t* condition, pthread_mutex_t* mutex, std::uintptr_t site);
enum class Notified : std::uint8_t { kOne, kAll };
void notify(pthread_cond_t* condition, Notified notified, std::uintptr_t site);
int destroy_condition(pthread_cond_t* condition, std::uintptr_t site);
int run_once(pthread_once_t* control, void (*routine)(), std::uintptr_t site);

}  // namespace ordeal::runtime
