// EXPECT: verified
// A condition, a timed wait, recursion, thrd_exit, thread-specific storage with a destructor, call_once.
#include <assert.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>

static mtx_t guard, nested;
static cnd_t changed;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static int ready, prepared, destroyed;

static void prepare(void) { ++prepared; }
static void destroy(void* value) { destroyed += *(int*)value; }

static int wait(void* unused) {
  static int one = 1;
  (void)unused;
  call_once(&flag, prepare);
  assert(prepared == 1);
  assert(tss_get(key) == NULL && tss_set(key, &one) == thrd_success && tss_get(key) == &one);
  mtx_lock(&guard);
  while (!ready) cnd_wait(&changed, &guard);
  mtx_unlock(&guard);
  thrd_exit(7);
}

int main(void) {
  thrd_t waiter;
  struct timespec long_ago = {0, 0};
  int result = 0;
  assert(mtx_init(&guard, mtx_plain) == thrd_success && mtx_init(&nested, mtx_plain | mtx_recursive) == thrd_success);
  assert(cnd_init(&changed) == thrd_success && tss_create(&key, destroy) == thrd_success);
  assert(mtx_lock(&nested) == thrd_success && mtx_trylock(&nested) == thrd_success);
  assert(mtx_unlock(&nested) == thrd_success && mtx_unlock(&nested) == thrd_success);
  assert(thrd_create(&waiter, wait, NULL) == thrd_success);
  assert(thrd_equal(thrd_current(), thrd_current()) && !thrd_equal(thrd_current(), waiter));
  call_once(&flag, prepare);
  mtx_lock(&guard);
  ready = 1;
  cnd_signal(&changed);
  mtx_unlock(&guard);
  assert(thrd_join(waiter, &result) == thrd_success && result == 7 && destroyed == 1);
  mtx_lock(&guard);
  assert(cnd_timedwait(&changed, &guard, &long_ago) != thrd_error);
  mtx_unlock(&guard);
  mtx_destroy(&guard);
  mtx_destroy(&nested);
  cnd_destroy(&changed);
  tss_delete(key);
  return 0;
}
