// EXPECT: bug lock-misuse closed
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
  sem_t* own = sem_open("/ordeal", O_CREAT, 0600, 1);
  sem_close(own);
  return sem_wait(own);  // BUG
}
