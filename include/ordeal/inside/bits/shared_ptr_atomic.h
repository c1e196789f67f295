// Adds to libstdc++'s <bits/shared_ptr_atomic.h> another inside of atomic<shared_ptr> and atomic<weak_ptr>, with the meaning of the
// standard. (libstdc++'s locks a bit of a pointer. A load unlocks it relaxed, so that by the letter its read of the other pointer is in a
// race with the next store's write; and relaxed operations synchronise there, which the standard does not promise.)
//
// An operation is a read-modify-write of the control block's address with the memory order that it was given, a load too, so that it
// reads the last value; together with what it does to the other pointer and to the count it is one step, by a lock that orders, but
// synchronises nothing.
#ifndef ORDEAL_INSIDE_BITS_SHARED_PTR_ATOMIC_H
#define ORDEAL_INSIDE_BITS_SHARED_PTR_ATOMIC_H

#pragma GCC system_header

#include_next <bits/shared_ptr_atomic.h>

#if _GLIBCXX_RELEASE == 12 && defined(__cpp_lib_atomic_shared_ptr)

#include "../runtime_calls.h"

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION

template <typename _Type>
class _Sp_atomic<shared_ptr<_Type>> {
  using value_type = shared_ptr<_Type>;
  friend class atomic<value_type>;
#define ORDEAL_INSIDE_ADD_REFERENCE _M_add_ref_copy
#define ORDEAL_INSIDE_RELEASE _M_release
#include "shared_ptr_atomic_members.h"
#undef ORDEAL_INSIDE_ADD_REFERENCE
#undef ORDEAL_INSIDE_RELEASE
};

template <typename _Type>
class _Sp_atomic<weak_ptr<_Type>> {
  using value_type = weak_ptr<_Type>;
  friend class atomic<value_type>;
#define ORDEAL_INSIDE_ADD_REFERENCE _M_weak_add_ref
#define ORDEAL_INSIDE_RELEASE _M_weak_release
#include "shared_ptr_atomic_members.h"
#undef ORDEAL_INSIDE_ADD_REFERENCE
#undef ORDEAL_INSIDE_RELEASE
};

_GLIBCXX_END_NAMESPACE_VERSION
}  // namespace std

#endif
#endif
