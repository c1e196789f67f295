// EXPECT: verified 2
// FLAGS: -D_GNU_SOURCE
// The two threads come to the once flag in one order or the other; nothing else orders them. The third is detached.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

#define TRY(CALL) assert((CALL) == 0)

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs, data;

static void count(void) { ++runs; }

static void* nothing(void* argument) { return argument; }

static void* run(void* argument) {
  TRY(pthread_once(&once, count));
  TRY(pthread_setspecific(key, &runs));
  assert(pthread_getspecific(key) == &runs && runs == 1);
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
  TRY(pthread_join(a, NULL));
  TRY(pthread_join(b, NULL));
  TRY(pthread_create(&b, NULL, nothing, NULL));
  TRY(pthread_detach(b));
  TRY(pthread_key_delete(key));
  return data;
}
