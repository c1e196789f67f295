// EXPECT: verified
// By name it is the same semaphore for both. A name that was unlinked is free; who has it open still has it.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static int counter;
static sem_t* seen[2];

static void increment(int self) {
  sem_t* own = sem_open("/ordeal", O_CREAT, 0600, 1);
  assert(own != SEM_FAILED);
  seen[self] = own;
  sem_wait(own);
  ++counter;
  sem_post(own);
  assert(sem_close(own) == 0);
}
static void* run(void* argument) {
  increment(1);
  return argument;
}

int main(void) {
  assert(sem_open("/ordeal", 0) == SEM_FAILED && errno == ENOENT);
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  increment(0);
  pthread_join(thread, NULL);
  assert(counter == 2 && seen[0] == seen[1]);
  assert(sem_open("/ordeal", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
  sem_t* old = sem_open("ordeal", 0);
  assert(old == seen[0] && sem_unlink("/ordeal") == 0);
  assert(sem_unlink("/ordeal") == -1 && errno == ENOENT);
  sem_t* fresh = sem_open("/ordeal", O_CREAT | O_EXCL, 0600, 0);
  assert(fresh != SEM_FAILED && fresh != old);
  assert(sem_trywait(fresh) == -1 && sem_trywait(old) == 0);
  assert(sem_close(fresh) == 0 && sem_close(old) == 0);
  return 0;
}
