// EXPECT: bug data-race data
// FLAGS: -D_GNU_SOURCE
// Whatever it is created with, it runs at the same time.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>

#define TRY(CALL) assert((CALL) == 0)

int data;

static void* run(void* argument) {
  data = 1;  // BUG
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_attr_t attributes, fallback;
  cpu_set_t processors;
  sigset_t signals;
  struct sched_param parameters = {0};
  size_t size = 0;
  int value = -1;
  CPU_ZERO(&processors);
  sigemptyset(&signals);
  TRY(pthread_attr_init(&attributes));
  TRY(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE));
  TRY(pthread_attr_getdetachstate(&attributes, &value));
  TRY(pthread_attr_setguardsize(&attributes, 4096));
  TRY(pthread_attr_getguardsize(&attributes, &size));
  TRY(pthread_attr_setstacksize(&attributes, 1 << 20));
  TRY(pthread_attr_getstacksize(&attributes, &size));
  TRY(pthread_attr_setinheritsched(&attributes, PTHREAD_INHERIT_SCHED));
  TRY(pthread_attr_getinheritsched(&attributes, &value));
  TRY(pthread_attr_setschedpolicy(&attributes, SCHED_OTHER));
  TRY(pthread_attr_getschedpolicy(&attributes, &value));
  TRY(pthread_attr_setschedparam(&attributes, &parameters));
  TRY(pthread_attr_getschedparam(&attributes, &parameters));
  TRY(pthread_attr_setscope(&attributes, PTHREAD_SCOPE_SYSTEM));
  TRY(pthread_attr_getscope(&attributes, &value));
  TRY(pthread_getattr_default_np(&fallback));
  TRY(pthread_setconcurrency(1));
  TRY(pthread_getconcurrency() - 1);
  TRY(pthread_create(&a, &attributes, run, NULL));
  TRY(pthread_attr_destroy(&attributes));
  data = 2;  // BUG
  TRY(pthread_join(a, NULL));
  return data > 2;
}
