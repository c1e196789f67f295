// EXPECT: bug lock-misuse takes a semaphore that was destroyed
#include <semaphore.h>

static sem_t semaphore;

int main(void) {
  sem_init(&semaphore, 0, 1);
  sem_destroy(&semaphore);
  sem_wait(&semaphore);  // BUG
  return 0;
}
