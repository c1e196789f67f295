// EXPECT: bug assertion gave_up
// LEVELS: O0 O2
// Trap L2: a turn that ends with one more lock held. The first futile look takes the lock, the second finds it taken, by the thread itself, and gives up. Nothing but the
// locks that the thread holds tells the two apart.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int flag, gave_up;

static void* look(void* argument) {
  while (__atomic_load_n(&flag, __ATOMIC_RELAXED) == 0)
    if (pthread_mutex_trylock(&guard) != 0) {
      gave_up = 1;
      break;
    }
  return argument;
}

static void* set(void* argument) {
  __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, look, NULL);
  pthread_create(&b, NULL, set, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(!gave_up);  // BUG
  return 0;
}
