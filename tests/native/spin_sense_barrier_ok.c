// EXPECT: verified 2
// OPTIONS: --no-spurious
// A barrier for two: who comes last lets the other one go. Which thread that is makes the two classes; how often the other one
// looked in vain is none, although the compiler keeps what it saw in a register that it never looks at again.
#include <pthread.h>
#include <stdatomic.h>

atomic_int count = 2, sense;

static void wait_for_all(int* own) {
  *own = !*own;
  if (atomic_fetch_add_explicit(&count, -1, memory_order_acq_rel) == 1) {
    atomic_store_explicit(&count, 2, memory_order_relaxed);
    atomic_store_explicit(&sense, *own, memory_order_release);
  } else {
    while (atomic_load_explicit(&sense, memory_order_acquire) != *own) {
    }
  }
}

static void* run(void* unused) {
  int own = 0;
  wait_for_all(&own);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, NULL);
  pthread_create(&b, NULL, run, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
