// Takes the place of libstdc++'s <bits/atomic_wait.h>: `ordeal c++` puts this folder first in the include path, so that
// <atomic>, <latch>, <barrier>, <semaphore> and <stop_token> wait and notify through the runtime.
//
// Why. libstdc++ polls a few times, then sleeps, and counts the sleepers of a hash table with seq_cst operations: the
// polls multiply the executions to explore, and the counters synchronise threads that the standard does not synchronise.
// Here a wait is one operation with the meaning of [atomics.wait], and so is a notification.
//
// Two kinds of waits. A wait for a value (atomic::wait) knows value and memory order: one blocking load. A wait for a
// condition (latch, barrier, semaphore) evaluates it, and when it is false waits until the value changes that it saw.
//
// The names and parameters of the functions are those that the headers of GCC 12 call. Other releases keep their own
// header: their waits work as the futex system calls that they are.
#ifndef ORDEAL_INSIDE_BITS_ATOMIC_WAIT_H
#define ORDEAL_INSIDE_BITS_ATOMIC_WAIT_H

#pragma GCC system_header

#include <bits/c++config.h>

#if _GLIBCXX_RELEASE != 12
#include_next <bits/atomic_wait.h>
#else

#define _GLIBCXX_ATOMIC_WAIT_H 1  // whoever asks whether libstdc++'s header was included

// What that header includes: code may rely on it without knowing.
#include <bits/functexcept.h>
#include <bits/functional_hash.h>
#include <bits/gthr.h>
#include <bits/std_mutex.h>
#include <ext/numeric_traits.h>
#include <syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

#include "../runtime_calls.h"

#define __cpp_lib_atomic_wait 201907L

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION

namespace __detail {

// The type of the counters in latch and semaphore.
using __platform_wait_t = int;
inline constexpr size_t __platform_wait_alignment = 4;

// Spinning threads of atomic<shared_ptr> give way, so that the runtime sees that they wait.
inline void __thread_yield() noexcept { __gthread_yield(); }
inline void __thread_relax() noexcept { __gthread_yield(); }

// semaphore::try_acquire: one attempt is enough for [thread.sema.cnt], and sixteen are sixteen times the executions.
template <typename _Condition>
bool __atomic_spin(_Condition& __condition) noexcept {
  return __condition();
}

template <typename _Type>
inline constexpr bool __ordeal_can_wait_on = sizeof(_Type) <= 8 && (sizeof(_Type) & (sizeof(_Type) - 1)) == 0;

/// The value representation in the low bytes.
template <typename _Type>
unsigned long long __ordeal_bytes_of(const _Type& __value) noexcept {
  unsigned long long __bytes = 0;
  __builtin_memcpy(&__bytes, __builtin_addressof(__value), sizeof(_Type));
  return __bytes;
}

template <typename _Type>
bool __ordeal_same_bytes(const _Type& __one, const _Type& __other) noexcept {
  return __builtin_memcmp(__builtin_addressof(__one), __builtin_addressof(__other), sizeof(_Type)) == 0;
}

}  // namespace __detail

/// atomic::wait: until a load with this order sees another value than `__old`.
template <typename _Type, typename _Load>
void __ordeal_wait_for_other_value(const _Type* __address, __type_identity_t<_Type> __old, _Load __load,
                                   int __order) noexcept {
  if constexpr (__detail::__ordeal_can_wait_on<_Type>)
    ::__ordeal_atomic_wait(__address, sizeof(_Type), __detail::__ordeal_bytes_of(__old), __order);
  else  // an atomic with a lock inside: a loop that only waits
    for (auto __seen = __load(); __detail::__ordeal_same_bytes<_Type>(__seen, __old); __seen = __load()) __gthread_yield();
}

// The headers give the function that loads, with the memory order hidden in it. But all five places that call this one are
// functions whose parameter __m is that order.
#define __atomic_wait_address_v(...) __ordeal_wait_for_other_value(__VA_ARGS__, static_cast<int>(__m))

/// latch, barrier: until the condition holds. Their conditions load once, so the value last seen is the one they judged.
template <typename _Type, typename _Condition>
void __atomic_wait_address(const _Type* __address, _Condition __condition) noexcept {
  static_assert(__detail::__ordeal_can_wait_on<_Type>);
  while (!__condition())
    ::__ordeal_atomic_wait(__address, sizeof(_Type), ::__ordeal_last_seen(__address, sizeof(_Type)), __ATOMIC_RELAXED);
}

/// semaphore: until the condition, which takes one from the counter, holds. It may fail because another thread was faster
/// although something is left, so what to wait for is that the counter is not 0.
template <typename _Condition>
void __atomic_wait_address_bare(const __detail::__platform_wait_t* __address, _Condition __condition) noexcept {
  while (!__condition()) ::__ordeal_atomic_wait(__address, sizeof *__address, 0, __ATOMIC_RELAXED);
}

template <typename _Type>
void __atomic_notify_address(const _Type* __address, bool __all) noexcept {
  ::__ordeal_atomic_notify(__address, __all);
}

inline void __atomic_notify_address_bare(const __detail::__platform_wait_t* __address, bool __all) noexcept {
  ::__ordeal_atomic_notify(__address, __all);
}

_GLIBCXX_END_NAMESPACE_VERSION
}  // namespace std

#endif  // release 12
#endif
