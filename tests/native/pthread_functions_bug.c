// EXPECT: bug data-race data
// FLAGS: -D_GNU_SOURCE
// Nobody waits for a detached thread.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

#define TRY(CALL) assert((CALL) == 0)

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs;
int data;

static void count(void) { ++runs; }

static void* run(void* argument) {
  TRY(pthread_once(&once, count));
  TRY(pthread_setspecific(key, &runs));
  assert(pthread_getspecific(key) == &runs && runs == 1);
  data = 1;  // BUG
  pthread_exit(argument);
}

int main(void) {
  pthread_t a, b;
  int old = -1, policy = -1;
  struct sched_param parameters = {0};
  cpu_set_t processors;
  TRY(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old));
  TRY(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old));
  pthread_testcancel();
  pthread_key_t other;
  TRY(pthread_key_create(&other, NULL));
  TRY(pthread_key_delete(other));
  TRY(pthread_key_create(&key, NULL));
  TRY(pthread_create(&a, NULL, run, NULL));
  TRY(pthread_create(&b, NULL, run, NULL));
  assert(!pthread_equal(a, b) && pthread_equal(a, a) && !pthread_equal(a, pthread_self()));
  TRY(pthread_setname_np(a, "worker"));
  TRY(pthread_setschedparam(a, SCHED_OTHER, &parameters));
  TRY(pthread_getschedparam(a, &policy, &parameters));
  TRY(pthread_setschedprio(a, 0));
  TRY(pthread_getaffinity_np(a, sizeof processors, &processors));
  TRY(pthread_setaffinity_np(a, sizeof processors, &processors));
  TRY(pthread_detach(b));
  TRY(pthread_join(a, NULL));
  data = 2;  // BUG
  return 0;
}
