// EXPECT: verified 2
// OPTIONS: --no-spurious
// BLOCKED: 0
// As condition_predicate_ok.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void* consume(void* argument) {
  pthread_mutex_lock(&guard);
  while (!ready) pthread_cond_wait(&changed, &guard);
  pthread_mutex_unlock(&guard);
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, consume, NULL);
  pthread_mutex_lock(&guard);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&guard);
  pthread_join(a, NULL);
  return 0;
}
