// EXPECT: bug lock-misuse posts a semaphore that is full
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

static sem_t full;

int main(void) {
  assert(sem_init(&full, 0, SEM_VALUE_MAX + 1U) == -1 && errno == EINVAL);
  sem_init(&full, 0, SEM_VALUE_MAX);
  sem_post(&full);  // BUG
  return 0;
}
