// Takes the place of libstdc++'s <bits/atomic_futex.h>, in which the shared state of <future> becomes ready; atomic_wait.h beside it says
// how. There it marks that somebody waits, sleeps in the kernel, and looks again. Here a wait is one load that blocks until it sees that
// the state is ready: what [futures] says, and no more to explore than that.
//
// The names and parameters are those that GCC 12's <future> calls. Its states are 0 (not ready) and 1.
#ifndef ORDEAL_INSIDE_BITS_ATOMIC_FUTEX_H
#define ORDEAL_INSIDE_BITS_ATOMIC_FUTEX_H

#pragma GCC system_header

#include <bits/c++config.h>

#if _GLIBCXX_RELEASE != 12
#include_next <bits/atomic_futex.h>
#else

#define _GLIBCXX_ATOMIC_FUTEX_H 1

#include <bits/chrono.h>
#include <bits/this_thread_sleep.h>

#include <atomic>

#include "../runtime_calls.h"

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION

template <unsigned = 0>
class __atomic_futex_unsigned {
 public:
  explicit __atomic_futex_unsigned(unsigned __state) : _M_state(__state) {}

  unsigned _M_load(memory_order __order) { return _M_state.load(__order); }

  void _M_load_when_equal(unsigned __state, memory_order __order) {
    ::__ordeal_atomic_await(&_M_state, sizeof _M_state, 1 - __state, static_cast<int>(__order));
  }

  /// Time is virtual: it may be up at any moment. False: it is.
  template <typename _Clock, typename _Duration>
  bool _M_load_when_equal_until(unsigned __state, memory_order __order, const chrono::time_point<_Clock, _Duration>& __time) {
    if (::__ordeal_atomic_wait_timed(&_M_state, sizeof _M_state, 1 - __state, static_cast<int>(__order))) return true;
    this_thread::sleep_until(__time);
    return false;
  }
  template <typename _Rep, typename _Period>
  bool _M_load_when_equal_for(unsigned __state, memory_order __order, const chrono::duration<_Rep, _Period>& __duration) {
    if (::__ordeal_atomic_wait_timed(&_M_state, sizeof _M_state, 1 - __state, static_cast<int>(__order))) return true;
    this_thread::sleep_for(__duration);
    return false;
  }

  void _M_store_notify_all(unsigned __state, memory_order __order) { _M_state.store(__state, __order); }

 private:
  atomic<unsigned> _M_state;
};

_GLIBCXX_END_NAMESPACE_VERSION
}  // namespace std

#endif  // release 12
#endif
