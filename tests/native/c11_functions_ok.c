// EXPECT: verified
// All of <threads.h> that the other tests leave out.
#include <assert.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex, timed;
static cnd_t condition;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static int ready, runs, data;

static void count(void) { ++runs; }

static int run(void* argument) {
  (void)argument;
  call_once(&flag, count);
  tss_set(key, &runs);
  assert(tss_get(key) == &runs);
  thrd_yield();
  mtx_lock(&mutex);
  ready = 1;
  cnd_broadcast(&condition);
  mtx_unlock(&mutex);
  thrd_exit(3);
}

static int nothing(void* argument) { return argument != NULL; }

int main(void) {
  thrd_t a, b;
  const struct timespec soon = {1900000000, 0}, moment = {0, 1000};
  int result = 0;
  mtx_init(&mutex, mtx_plain);
  mtx_init(&timed, mtx_timed);
  cnd_init(&condition);
  tss_create(&key, NULL);
  assert(mtx_timedlock(&timed, &soon) == thrd_success && mtx_trylock(&timed) == thrd_busy);
  mtx_unlock(&timed);
  thrd_sleep(&moment, NULL);
  assert(thrd_create(&a, run, NULL) == thrd_success && thrd_create(&b, nothing, NULL) == thrd_success);
  assert(!thrd_equal(a, b) && !thrd_equal(a, thrd_current()));
  thrd_detach(b);
  mtx_lock(&mutex);
  while (!ready && cnd_timedwait(&condition, &mutex, &soon) == thrd_success) {
  }
  mtx_unlock(&mutex);
  thrd_join(a, &result);
  assert(result == 3 && runs == 1);
  tss_delete(key);
  cnd_destroy(&condition);
  mtx_destroy(&mutex);
  mtx_destroy(&timed);
  return data;
}
