// Takes the place of libstdc++'s <bits/atomic_timed_wait.h>, which <semaphore> uses; atomic_wait.h beside it says why.
//
// Time is virtual in a checked program: a timed wait may give up at any moment, whatever the time it was given, and the
// checker explores both. Only a duration of nothing gives up at once. Who gives up has waited until then, by its clock.
#ifndef ORDEAL_INSIDE_BITS_ATOMIC_TIMED_WAIT_H
#define ORDEAL_INSIDE_BITS_ATOMIC_TIMED_WAIT_H

#pragma GCC system_header

#include <bits/atomic_wait.h>

#if _GLIBCXX_RELEASE != 12
#include_next <bits/atomic_timed_wait.h>
#else

#define _GLIBCXX_ATOMIC_TIMED_WAIT_H 1

#include <bits/chrono.h>
#include <bits/functional_hash.h>
#include <bits/this_thread_sleep.h>
#include <sys/time.h>

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION

/// semaphore: whether the condition, which takes one from the counter, held before the thread gave up.
template <typename _Condition, typename _Clock, typename _Duration>
bool __atomic_wait_address_until_bare(const __detail::__platform_wait_t* __address, _Condition __condition,
                                      const chrono::time_point<_Clock, _Duration>& __time) noexcept {
  while (!__condition()) {
    if (::__ordeal_atomic_wait_timed(__address, sizeof *__address, 0, __ATOMIC_RELAXED)) continue;
    this_thread::sleep_until(__time);
    return false;
  }
  return true;
}

template <typename _Condition, typename _Rep, typename _Period>
bool __atomic_wait_address_for_bare(const __detail::__platform_wait_t* __address, _Condition __condition,
                                    const chrono::duration<_Rep, _Period>& __duration) noexcept {
  if (__duration <= __duration.zero()) return __condition();
  if (std::__atomic_wait_address_until_bare(__address, __condition, chrono::steady_clock::time_point{})) return true;
  this_thread::sleep_for(__duration);
  return false;
}

_GLIBCXX_END_NAMESPACE_VERSION
}  // namespace std

#endif  // release 12
#endif
