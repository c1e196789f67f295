/* An observer of your own for `ordeal check --observer ./mine.so`: it looks at every execution that ended without a bug, one of each
 * class (with `ordeal test`: at each one that was run), and may call it a bug, or count what it likes. C or C++:
 *
 *   #include <ordeal/observer.h>
 *   const struct ordeal_observer ordeal_observer_plugin = {ORDEAL_OBSERVER_VERSION, "mine", begin, finished, end};
 *
 *   cc -O2 -shared -fPIC mine.c -o mine.so         an ordinary compiler, not `ordeal cc`
 *
 * It runs inside the tested process, between executions, one call at a time. Its variables and its memory are its own and stay as
 * they are. Ordeal's own analyses (--sc-analysis) see the same. examples/observer has one. */
#ifndef ORDEAL_OBSERVER_H
#define ORDEAL_OBSERVER_H

#include <stddef.h>
#include <stdint.h>

#define ORDEAL_OBSERVER_VERSION 1

enum ordeal_event_kind {
  ORDEAL_EVENT_READ, /* of a read-modify-write: followed by its write in the same thread, both with is_rmw */
  ORDEAL_EVENT_WRITE,
  ORDEAL_EVENT_FENCE,
  ORDEAL_EVENT_CREATE, /* of thread `other` */
  ORDEAL_EVENT_JOIN,   /* likewise */
  ORDEAL_EVENT_CHOICE, /* ordeal_choose, and other choices of the program: `value` */
  ORDEAL_EVENT_NOTE,
  ORDEAL_EVENT_WAKE    /* a thread that waited goes on behind the write `reads_from` */
};

enum ordeal_event_order {
  ORDEAL_ORDER_PLAIN,
  ORDEAL_ORDER_RELAXED,
  ORDEAL_ORDER_ACQUIRE,
  ORDEAL_ORDER_RELEASE,
  ORDEAL_ORDER_ACQ_REL,
  ORDEAL_ORDER_SEQ_CST
};

/* Places in the lists of events and locations; negative: none. */
#define ORDEAL_NO_EVENT (-1)
#define ORDEAL_INITIAL (-2) /* reads_from: the initial value */

struct ordeal_event {
  int thread; /* 0 is main */
  int index;  /* in its thread, from 0 */
  enum ordeal_event_kind kind;
  enum ordeal_event_order order;
  int is_rmw;
  int location;   /* of reads, writes and wakes */
  int64_t value;  /* read, written or chosen */
  int reads_from; /* of reads and wakes: an event, or ORDEAL_INITIAL */
  int other;      /* of create and join: a thread */
};

/* Memory that is accessed atomically, or a mutex, a condition variable and the like. */
struct ordeal_location {
  uintptr_t address;
  size_t size; /* in bytes; 0: of a mutex and the like */
  int64_t initial;
};

struct ordeal_execution {
  uint64_t number;  /* from 1, as they come */
  int is_complete;  /* 0: some threads wait for ever, or were cut by a bound */
  int threads, events, locations;
  /* In an order that respects program order and reads-from (but for load buffering, where a read may come before what it reads). Plain
   * accesses are no events. */
  const struct ordeal_event* event;
  const struct ordeal_location* location;
  /* Whether event `a` happens before event `b`; an event does not happen before itself. */
  int (*happens_before)(const struct ordeal_execution* execution, int a, int b);
  const void* inside; /* Ordeal's own */
};

enum ordeal_opinion {
  ORDEAL_FINE,
  ORDEAL_BUG,  /* `message` says what is wrong, in one line; bugs with the same message are one */
  ORDEAL_ENOUGH /* the search is to stop here; the verdict is `bounded` */
};

struct ordeal_observer {
  uint32_t version; /* ORDEAL_OBSERVER_VERSION */
  const char* name; /* for the report */
  /* A search begins. It may begin anew, when Ordeal has learnt something about the program: what was seen before does not count then.
   * May be 0. */
  void (*begin)(void);
  /* `message` has room for `size` bytes, a final 0 included. */
  enum ordeal_opinion (*finished)(const struct ordeal_execution* execution, char* message, size_t size);
  /* The search is over: what is written to `note` is shown with the verdict. May be 0. */
  void (*end)(char* note, size_t size);
};

#ifdef __cplusplus
extern "C"
#else
extern
#endif
__attribute__((visibility("default"))) const struct ordeal_observer ordeal_observer_plugin;

#endif
