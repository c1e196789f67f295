/* A strategy of your own for `ordeal test --strategy ./mine.so`: it decides what random testing leaves open. C or C++:
 *
 *   #include <ordeal/strategy.h>
 *   const struct ordeal_strategy ordeal_plugin = {ORDEAL_STRATEGY_VERSION, "mine", begin, created, next_thread,
 *                                                 which_store, which_place, answer};
 *
 *   cc -O2 -shared -fPIC mine.c -o mine.so         an ordinary compiler, not `ordeal cc`
 *
 * It runs inside the tested process, one call at a time. What it answers must follow from seed, execution and what it was asked in
 * this execution: so any execution can be run again alone. Its variables are put back to what they were at first before each
 * execution; it should not allocate memory, nor call what the tested program is about. examples/strategy has one. */
#ifndef ORDEAL_STRATEGY_H
#define ORDEAL_STRATEGY_H

#include <stdint.h>

#define ORDEAL_STRATEGY_VERSION 1

/* What the thread that ran last is about to do. */
enum ordeal_step {
  ORDEAL_STEP_LOAD,
  ORDEAL_STEP_STORE, /* relaxed or release */
  ORDEAL_STEP_RMW,   /* also a seq_cst store */
  ORDEAL_STEP_FENCE,
  ORDEAL_STEP_SYNC,  /* a lock, a join, the creation of a thread … */
  ORDEAL_STEP_YIELD  /* it says, or shows, that it waits for others */
};

/* What else may happen one way or another. */
enum ordeal_question {
  ORDEAL_FAILS_SPURIOUSLY, /* a weak compare-exchange, or try_lock: 1 is yes */
  ORDEAL_TIMES_OUT,        /* a wait with a time limit: 1 is yes */
  ORDEAL_WAKES_SPURIOUSLY, /* a wait on a condition variable: 1 is yes */
  ORDEAL_WHO_WAKES,        /* which of the waiting threads a notification wakes */
  ORDEAL_PROGRAM_CHOOSES   /* ordeal_choose, and other choices of the program */
};

/* The last store in modification order, or the place behind it. */
#define ORDEAL_NEWEST UINT32_MAX

struct ordeal_strategy {
  uint32_t version;  /* ORDEAL_STRATEGY_VERSION */
  const char* name;  /* for the report */
  /* An execution begins, with one thread, 0. */
  void (*begin)(uint64_t seed, uint64_t execution);
  /* There is one more thread. May be 0. */
  void (*created)(int thread);
  /* Who goes on: a place in `ready`, threads that can, in no particular order. `current`: the place of the thread that ran last; -1: it
   * cannot go on. */
  int (*next_thread)(const int* ready, int count, int current, enum ordeal_step step);
  /* Which of `count` stores, at least 2, a load of `thread` reads. The last of them is the newest in modification order, as is
   * ORDEAL_NEWEST. */
  uint32_t (*which_store)(int thread, uint32_t count);
  /* Behind which of `count` stores, at least 2, a store goes in modification order: behind all with the last, or ORDEAL_NEWEST. */
  uint32_t (*which_place)(int thread, uint32_t count);
  /* A number below `alternatives`. */
  uint32_t (*answer)(enum ordeal_question question, uint32_t alternatives);
};

#ifdef __cplusplus
extern "C"
#else
extern
#endif
__attribute__((visibility("default"))) const struct ordeal_strategy ordeal_plugin;

#endif
