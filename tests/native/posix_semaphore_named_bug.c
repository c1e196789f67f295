// EXPECT: bug data-race counter
// Whoever is first says how much it has: two at once.
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static int counter;

static void increment(unsigned count) {
  sem_t* own = sem_open("/ordeal", O_CREAT, 0600, count);
  sem_wait(own);
  ++counter;  // BUG
  sem_post(own);
  sem_close(own);
}
static void* run(void* argument) {
  increment(2);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  increment(1);
  pthread_join(thread, NULL);
  sem_unlink("/ordeal");
  return 0;
}
