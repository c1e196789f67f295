// EXPECT: verified 1..2
// Two threads that are meant to be stopped by the end of the process: one is detached, the other polls under a lock for ever. (It may see
// `x` before or after the store; a turn that saw the old value may count or not.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int x;
atomic_int stop;

void* poll(void* unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&mutex);
    assert(x < 2);
    pthread_mutex_unlock(&mutex);
  }
}

void* wait(void* unused) {
  (void)unused;
  while (atomic_load(&stop) == 0) {
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, poll, NULL);
  pthread_create(&thread, NULL, wait, NULL);
  pthread_detach(thread);
  pthread_mutex_lock(&mutex);
  x = 1;
  pthread_mutex_unlock(&mutex);
  return 0;
}
