/* Michael-Scott queue whose nodes are reclaimed, with hazard pointers. T threads, each OPS times (enqueue, dequeue). A node that nobody
   protects any more is overwritten by plain stores: who still uses it races. */
#include "threads.h"
#ifndef T
#define T 3
#endif
#ifndef OPS
#define OPS 1
#endif
typedef struct node { int value; _Atomic(struct node *) next; } node;
node dummy, pool[T][OPS];
_Atomic(node *) head, tail;
_Atomic(node *) hazard[T][2];
static int protect(_Atomic(node *) *slot, node *n, _Atomic(node *) *place, node *expected) {
  atomic_store_explicit(slot, n, RLX);
  atomic_thread_fence(memory_order_seq_cst);
  return atomic_load_explicit(place, ACQ) == expected;
}
static void enqueue(int i, node *n, int v) {
  n->value = v; atomic_store_explicit(&n->next, NULL, RLX);
  for (;;) {
    node *t = atomic_load_explicit(&tail, ACQ);
    if (!protect(&hazard[i][0], t, &tail, t)) continue;
    node *nx = atomic_load_explicit(&t->next, ACQ);
    if (nx == NULL) {
      node *e = NULL;
      if (atomic_compare_exchange_strong_explicit(&t->next, &e, n, AR, ACQ)) {
        e = t; atomic_compare_exchange_strong_explicit(&tail, &e, n, AR, ACQ);
        break;
      }
    } else {
      node *e = t; atomic_compare_exchange_strong_explicit(&tail, &e, nx, AR, ACQ);
    }
  }
  atomic_store_explicit(&hazard[i][0], NULL, REL);
}
static void retire(int i, node *n) {
  atomic_thread_fence(memory_order_seq_cst);
  for (int j = 0; j < T; ++j) {
    if (j == i) continue;
    for (int k = 0; k < 2; ++k) if (atomic_load_explicit(&hazard[j][k], ACQ) == n) return; /* kept for ever: a real one would try again */
  }
  n->value = -1;
}
static int dequeue(int i, int *out) {
  for (;;) {
    node *h = atomic_load_explicit(&head, ACQ);
    if (!protect(&hazard[i][0], h, &head, h)) continue;
    node *t = atomic_load_explicit(&tail, ACQ);
    node *nx = atomic_load_explicit(&h->next, ACQ);
    if (!protect(&hazard[i][1], nx, &head, h)) continue;
    if (h == t) {
      if (nx == NULL) return 0;
      node *e = t; atomic_compare_exchange_strong_explicit(&tail, &e, nx, AR, ACQ);
    } else {
      int v = nx->value;
      node *e = h;
      if (atomic_compare_exchange_strong_explicit(&head, &e, nx, AR, ACQ)) {
        *out = v;
        atomic_store_explicit(&hazard[i][0], NULL, REL); atomic_store_explicit(&hazard[i][1], NULL, REL);
        retire(i, h);
        return 1;
      }
    }
  }
}
static void work(int i) {
  for (int k = 0; k < OPS; ++k) {
    enqueue(i, &pool[i][k], 10 * i + k + 1);
    int v = 0; int ok = dequeue(i, &v);
    assert(ok && v > 0);
  }
}
int main(void) {
  atomic_store_explicit(&head, &dummy, RLX); atomic_store_explicit(&tail, &dummy, RLX);
  RUN(T); return 0;
}
