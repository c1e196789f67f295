// EXPECT: bug assertion gave_up
// LEVELS: O0 O2
// Trap M1: a counter that the runtime keeps for the thread, as the value of a pthread key. It is in no register, not on the stack, and in
// no memory of the program.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_key_t key;
static int flag, gave_up;

static void* look(void* argument) {
  while (__atomic_load_n(&flag, __ATOMIC_RELAXED) == 0) {
    if (pthread_getspecific(key) == (void*)2) {
      gave_up = 1;
      break;
    }
    pthread_setspecific(key, (char*)pthread_getspecific(key) + 1);
  }
  return argument;
}

static void* set(void* argument) {
  __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_key_create(&key, NULL);
  pthread_create(&a, NULL, look, NULL);
  pthread_create(&b, NULL, set, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(!gave_up);  // BUG
  return 0;
}
