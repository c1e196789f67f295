/* What a program can tell Ordeal that its code cannot say. For C and C++; none of it is needed.

     ordeal_assume(condition);          executions in which this is false are of no interest: they end here, unreported
     ordeal_choose(n)                   an unsigned int below n; each is explored. n must be above 0
     ordeal_check(condition, message);  like assert, with a text. If it is false, that is a bug, reported with its execution

   Under Ordeal (compiled by `ordeal check`, `ordeal cc` or `ordeal c++`, which define __ORDEAL__) each argument is evaluated
   once. Elsewhere all of it compiles to nothing: ordeal_assume and ordeal_check do not evaluate their arguments, as assert
   does not with NDEBUG, but the compiler still checks them and does not call variables unused; ordeal_choose evaluates its
   argument and gives 0. So keep side effects out of assume and check. */
#ifndef ORDEAL_ORDEAL_H
#define ORDEAL_ORDEAL_H

#if defined(__ORDEAL__)

#ifdef __cplusplus
extern "C" {
#endif
void __ordeal_assume(int condition);
unsigned int __ordeal_choose(unsigned int n);
void __ordeal_check(int condition, const char* expression_and_message, const char* file, unsigned int line);
#ifdef __cplusplus
}
#endif

#define ordeal_assume(condition) __ordeal_assume((condition) ? 1 : 0)
#define ordeal_choose(n) __ordeal_choose(n)
/* The message is a string literal. */
#define ordeal_check(condition, message) __ordeal_check((condition) ? 1 : 0, #condition ": " message, __FILE__, __LINE__)

#else

#define ordeal_assume(condition) ((void)(0 && (condition)))
#define ordeal_choose(n) ((void)(n), 0u)
#define ordeal_check(condition, message) ((void)(0 && (condition)), (void)sizeof("" message))

#endif
#endif
