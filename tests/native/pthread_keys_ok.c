// EXPECT: verified 2
// The two destructors add to one atomic, in two orders.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_key_t key;
static atomic_int destroyed;
static void destroy(void* value) { atomic_fetch_add(&destroyed, *(int*)value); }

static void* use(void* argument) {
  assert(pthread_getspecific(key) == NULL);
  pthread_setspecific(key, argument);
  assert(pthread_getspecific(key) == argument);
  return NULL;
}

int main(void) {
  int one = 1, two = 2;
  pthread_t a, b;
  pthread_key_create(&key, destroy);
  pthread_create(&a, NULL, use, &one);
  pthread_create(&b, NULL, use, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(destroyed == 3 && pthread_getspecific(key) == NULL);
  return 0;
}
