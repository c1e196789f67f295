/* Makes weak compare-exchanges visible in code compiled by Clang, which translates weak and strong ones into the same call.
   `ordeal cc` and `ordeal c++` include this file before the first line of the program. Example: in

     while (!__atomic_compare_exchange_n(&top, &old, node, 1, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) …

   the call becomes `(__ordeal_weak(), __atomic_compare_exchange_n(…))`. That covers std::atomic and std::atomic_ref (they use
   these built-in functions) and, in C, <stdatomic.h> (it uses __c11_atomic_compare_exchange_weak).

   A call stays as it is, and so never fails without reason, if its argument `weak` is no constant, or if a comma inside of an
   argument (f<a, b>()) makes the preprocessor see more than six. */
#if !defined(__ASSEMBLER__) && !defined(ORDEAL_INSIDE_WEAK_COMPARE_EXCHANGE_H)
#define ORDEAL_INSIDE_WEAK_COMPARE_EXCHANGE_H
#pragma clang system_header

#include "runtime_calls.h"

#define ORDEAL_INSIDE_TELL_IF_WEAK(object, expected, desired, weak, success, failure) \
  (__builtin_constant_p(weak) && (weak) ? __ordeal_weak() : (void)0)
#define ORDEAL_INSIDE_TELL_NOTHING(...) ((void)0)
/* The argument behind the first twelve: TELL_IF_WEAK if there were six arguments to begin with, else TELL_NOTHING. */
#define ORDEAL_INSIDE_THIRTEENTH(a, b, c, d, e, f, g, h, i, j, k, l, chosen, ...) chosen
#define ORDEAL_INSIDE_TELL(...)                                                                                      \
  ORDEAL_INSIDE_THIRTEENTH(__VA_ARGS__, ORDEAL_INSIDE_TELL_NOTHING, ORDEAL_INSIDE_TELL_NOTHING,                      \
                           ORDEAL_INSIDE_TELL_NOTHING, ORDEAL_INSIDE_TELL_NOTHING, ORDEAL_INSIDE_TELL_NOTHING,       \
                           ORDEAL_INSIDE_TELL_NOTHING, ORDEAL_INSIDE_TELL_IF_WEAK, ORDEAL_INSIDE_TELL_NOTHING,       \
                           ORDEAL_INSIDE_TELL_NOTHING, ORDEAL_INSIDE_TELL_NOTHING, ORDEAL_INSIDE_TELL_NOTHING,       \
                           ORDEAL_INSIDE_TELL_NOTHING, ORDEAL_INSIDE_TELL_NOTHING)                                   \
  (__VA_ARGS__)

#define __atomic_compare_exchange_n(...) (ORDEAL_INSIDE_TELL(__VA_ARGS__), __atomic_compare_exchange_n(__VA_ARGS__))
#define __atomic_compare_exchange(...) (ORDEAL_INSIDE_TELL(__VA_ARGS__), __atomic_compare_exchange(__VA_ARGS__))
#define __c11_atomic_compare_exchange_weak(...) (__ordeal_weak(), __c11_atomic_compare_exchange_weak(__VA_ARGS__))

#endif
