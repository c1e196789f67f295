/* What the headers of this folder ask of the runtime (libordeal.so), which defines these functions. Everything here is for
   programs compiled by `ordeal cc` and `ordeal c++`; users include <ordeal/ordeal.h> instead. */
#ifndef ORDEAL_INSIDE_RUNTIME_CALLS_H
#define ORDEAL_INSIDE_RUNTIME_CALLS_H

#ifdef __cplusplus
#define ORDEAL_INSIDE_NOEXCEPT noexcept
extern "C" {
#else
#define ORDEAL_INSIDE_NOEXCEPT
#endif

/* A weak compare-exchange of `size` bytes, 1 to 16 (Clang; GCC's code calls a function of its own for these). Returns
   whether it succeeded; otherwise the value read is in `expected`. */
int __ordeal_compare_exchange_weak(volatile void* address, void* expected, const void* desired, unsigned size, int order,
                                   int failure_order) ORDEAL_INSIDE_NOEXCEPT;

/* Waits as [atomics.wait] says: loads `size` (1, 2, 4 or 8) bytes with this memory order (__ATOMIC_…), and returns when the
   load has seen another value than `old` (in its low bytes). That load is part of the wait: the caller loads no more. */
void __ordeal_atomic_wait(const volatile void* address, unsigned size, unsigned long long old,
                          int order) ORDEAL_INSIDE_NOEXCEPT;

/* The same, for one that needs no notification. */
void __ordeal_atomic_await(const volatile void* address, unsigned size, unsigned long long old,
                           int order) ORDEAL_INSIDE_NOEXCEPT;

/* The same, but it may give up at any time. Returns 0 if it did. */
int __ordeal_atomic_wait_timed(const volatile void* address, unsigned size, unsigned long long old,
                               int order) ORDEAL_INSIDE_NOEXCEPT;

/* What the latest atomic operation of this thread on these bytes read; it is no load itself. If there was none: the value
   that a relaxed load sees. */
unsigned long long __ordeal_last_seen(const volatile void* address, unsigned size) ORDEAL_INSIDE_NOEXCEPT;

/* Wakes one, or all, of the threads that wait at this address. */
void __ordeal_atomic_notify(const volatile void* address, int all) ORDEAL_INSIDE_NOEXCEPT;

/* pthread_mutex_trylock and pthread_rwlock_try…lock, but they may fail without reason: for std::mutex and std::shared_mutex. */
int __ordeal_mutex_trylock(void* mutex) ORDEAL_INSIDE_NOEXCEPT;
int __ordeal_rwlock_tryrdlock(void* lock) ORDEAL_INSIDE_NOEXCEPT;
int __ordeal_rwlock_trywrlock(void* lock) ORDEAL_INSIDE_NOEXCEPT;

/* pthread_mutex_unlock, but only by who holds it. */
int __ordeal_mutex_unlock(void* mutex) ORDEAL_INSIDE_NOEXCEPT;

/* Calls `run` when the thread ends, behind the destructors of its thread-local objects. */
void __ordeal_at_thread_exit(void (*run)(void*), void* object) ORDEAL_INSIDE_NOEXCEPT;

/* The thread did with this object what it must not. */
void __ordeal_misuse(const volatile void* object, const char* what) ORDEAL_INSIDE_NOEXCEPT;

/* What comes between these is one step: no other step on this object comes in between. Nothing synchronises by that. */
void __ordeal_begin_step(const volatile void* object) ORDEAL_INSIDE_NOEXCEPT;
void __ordeal_end_step(const volatile void* object) ORDEAL_INSIDE_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
