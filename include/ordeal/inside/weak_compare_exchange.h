/* Makes weak compare-exchanges visible in code compiled by Clang, which translates weak and strong ones into the same call and
   works out the success itself. `ordeal cc` and `ordeal c++` include this file before the first line of the program. Example:

     while (!__atomic_compare_exchange_n(&top, &old, node, 1, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) …

   calls `__ordeal_compare_exchange_weak` instead. That covers std::atomic and std::atomic_ref (they use these built-in
   functions) and, in C, <stdatomic.h> (it uses __c11_atomic_compare_exchange_weak).

   A call stays as it is, and so never fails without reason, if its argument `weak` is no constant, or if a comma inside of an
   argument (f<a, b>()) makes the preprocessor see more than six. */
#if !defined(__ASSEMBLER__) && !defined(ORDEAL_INSIDE_WEAK_COMPARE_EXCHANGE_H)
#define ORDEAL_INSIDE_WEAK_COMPARE_EXCHANGE_H
#pragma clang system_header

#include "runtime_calls.h"

#ifdef __cplusplus
#define ORDEAL_INSIDE_BOOL bool
#else
#define ORDEAL_INSIDE_BOOL _Bool
#endif

/* Sizes that one operation of the machine can do; larger objects have a lock inside. */
#define ORDEAL_INSIDE_FITS(size) ((size) == 1 || (size) == 2 || (size) == 4 || (size) == 8 || (size) == 16)

#define ORDEAL_INSIDE_WEAK(object, expected, desired, success, failure)                                            \
  __extension__({                                                                                                  \
    __typeof__(*(expected)) ordeal_inside_desired = (desired);                                                     \
    __ordeal_compare_exchange_weak((volatile void*)(object), (void*)(expected), (const void*)&ordeal_inside_desired, \
                                   sizeof(ordeal_inside_desired), (success), (failure));                           \
  })
#define ORDEAL_INSIDE_IS_WEAK(expected, weak) (__builtin_constant_p(weak) && (weak) && ORDEAL_INSIDE_FITS(sizeof(*(expected))))

#define ORDEAL_INSIDE_N(object, expected, desired, weak, success, failure)                        \
  (ORDEAL_INSIDE_IS_WEAK(expected, weak)                                                          \
       ? (ORDEAL_INSIDE_BOOL)ORDEAL_INSIDE_WEAK(object, expected, desired, success, failure)                   \
       : __atomic_compare_exchange_n(object, expected, desired, weak, success, failure))
#define ORDEAL_INSIDE_GENERIC(object, expected, desired, weak, success, failure)                                          \
  (ORDEAL_INSIDE_IS_WEAK(expected, weak)                                                                                  \
       ? (ORDEAL_INSIDE_BOOL)__ordeal_compare_exchange_weak((volatile void*)(object), (void*)(expected), (const void*)(desired),       \
                                               sizeof(*(expected)), (success), (failure))                                 \
       : __atomic_compare_exchange(object, expected, desired, weak, success, failure))
#define ORDEAL_INSIDE_PLAIN_N(...) __atomic_compare_exchange_n(__VA_ARGS__)
#define ORDEAL_INSIDE_PLAIN_GENERIC(...) __atomic_compare_exchange(__VA_ARGS__)

/* The argument behind the first twelve: the first of the two choices if there were six arguments to begin with. */
#define ORDEAL_INSIDE_THIRTEENTH(a, b, c, d, e, f, g, h, i, j, k, l, chosen, ...) chosen
#define ORDEAL_INSIDE_CHOOSE(six, other, ...)                                                                              \
  ORDEAL_INSIDE_THIRTEENTH(__VA_ARGS__, other, other, other, other, other, other, six, other, other, other, other, other, other) \
  (__VA_ARGS__)

#define __atomic_compare_exchange_n(...) ORDEAL_INSIDE_CHOOSE(ORDEAL_INSIDE_N, ORDEAL_INSIDE_PLAIN_N, __VA_ARGS__)
#define __atomic_compare_exchange(...) ORDEAL_INSIDE_CHOOSE(ORDEAL_INSIDE_GENERIC, ORDEAL_INSIDE_PLAIN_GENERIC, __VA_ARGS__)
#define __c11_atomic_compare_exchange_weak(object, expected, desired, success, failure) \
  ((ORDEAL_INSIDE_BOOL)ORDEAL_INSIDE_WEAK(object, expected, desired, success, failure))

#endif
