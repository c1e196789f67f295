// EXPECT: verified 1
// Behind an unlock that happens before, nothing holds them, and POSIX lets no pthread_…_try… fail without reason.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore;

static void* use(void* argument) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_wrlock(&rwlock);
  pthread_rwlock_unlock(&rwlock);
  pthread_spin_lock(&spin);
  pthread_spin_unlock(&spin);
  sem_post(&semaphore);
  return argument;
}

int main(void) {
  pthread_t other;
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  sem_init(&semaphore, 0, 0);
  pthread_create(&other, NULL, use, NULL);
  pthread_join(other, NULL);
  assert(pthread_mutex_trylock(&mutex) == 0);
  assert(pthread_rwlock_trywrlock(&rwlock) == 0);
  pthread_rwlock_unlock(&rwlock);
  assert(pthread_rwlock_tryrdlock(&rwlock) == 0);
  assert(pthread_spin_trylock(&spin) == 0);
  assert(sem_trywait(&semaphore) == 0);
  return 0;
}
