// Sync objects as locations of the graph (memory-model.md, section 4b).
//
//   mutex       0 free, 1 held. lock and unlock are operations of their own; try_lock is a compare-exchange.
//   robust      a mutex with two more bits: its holder has ended, or it is lost for good. Who takes it is told which.
//   shared      a read-write lock: 1 a writer, 2 for each reader. A writer locks and unlocks as a mutex. Readers come before writers
//               who wait, as in glibc. unlock_shared synchronises with lock, not with lock_shared.
//   semaphore   how often it can be taken. Each post synchronises with whoever takes it later.
//   barrier     how many have arrived, ever. Each who arrives waits for the last of its round, and acquires from all of it.
//   condition   the set of threads that wait, a bit each. wait: set the own bit, unlock, await that it is clear, lock.
//               notify_one clears one bit (which: a choice), notify_all clears all. Nothing of this synchronises.
#pragma once

#include <time.h>

#include <cstdint>

#include "model/event.h"

namespace ordeal::runtime {

/// `object` is any address that names the mutex.
/// False: it has timed out, which only testing lets happen (testing.h); so for all that wait.
bool lock(const void* object, std::uintptr_t site);
/// When it fails. kSpuriously: also though the mutex is free, if another thread has held it before, or could have in turns of waiting loops that are left
/// out (vain_locks.h). That it fails if nobody else is near, which the standard allows, is what nobody expects.
enum class TryFails : std::uint8_t { kIfHeld, kSpuriously };
bool try_lock(const void* object, std::uintptr_t site, TryFails fails);
void unlock(const void* object, std::uintptr_t site);
/// A robust mutex must be known as one before it is locked. How it was left when its holder took it; that is what the last try found, if it failed.
void note_robust(const void* object);
enum class Left : std::uint8_t { kWell = 0, kByEndedThread = 2, kForGood = 4 };
Left how_left(const void* object);
bool last_try_found_it_lost();
void make_consistent(const void* object);
/// The running thread ends: whoever takes next what it holds is told.
void leave_robust_mutexes();
/// The thread that holds it, or -1.
int holder(const void* object);
/// How many mutexes and read-write locks the thread holds, as a writer (a number that was used again would be taken for their holder), and a new execution.
int locks_held(int thread);
void forget_locks_held(int threads);
/// A mutex that orders, but does not synchronise.
void begin_step(const void* object, std::uintptr_t site);
void end_step(const void* object, std::uintptr_t site);

bool lock_exclusive(const void* object, std::uintptr_t site);
bool try_lock_exclusive(const void* object, std::uintptr_t site, TryFails fails);
void unlock_exclusive(const void* object, std::uintptr_t site);
bool lock_shared(const void* object, std::uintptr_t site);
bool try_lock_shared(const void* object, std::uintptr_t site, TryFails fails);
void unlock_shared(const void* object, std::uintptr_t site);
/// By the running thread.
int& times_held_shared(const void* object);

/// It has `count` from now on.
void start_semaphore(const void* object, unsigned count, std::uintptr_t site);
bool take(const void* object, std::uintptr_t site);
bool try_take(const void* object, std::uintptr_t site);
/// Returns what it had.
std::int64_t post(const void* object, std::uintptr_t site);
std::int64_t semaphore_value(const void* object, std::uintptr_t site);

void start_barrier(const void* object, std::uintptr_t site);
/// Whether it is the last of its round.
bool meet(const void* object, unsigned count, std::uintptr_t site);

void wait(const void* condition, const void* mutex, std::uintptr_t site);
/// False: it timed out.
bool wait_timed(const void* condition, const void* mutex, const timespec* deadline, std::uintptr_t site);
void notify_one(const void* condition, std::uintptr_t site);
void notify_all(const void* condition, std::uintptr_t site);
/// Asked when it is about to be destroyed.
bool has_waiters(const void* condition, std::uintptr_t site);

/// Any value below `alternatives`: a branch of the search.
unsigned choose(unsigned alternatives, std::uintptr_t site, model::ChoiceOf about);

/// The program used a sync object in a way that it must not.
[[noreturn]] void fail_with_misuse(const void* object, const char* message, std::uintptr_t site);

/// Whether waits may end and weak operations fail without a reason.
extern bool explore_spurious;

}  // namespace ordeal::runtime
