// EXPECT: cannot-check sem_open
// A semaphore with a name belongs to the system.
#include <fcntl.h>
#include <semaphore.h>

int main(void) { return sem_open("/ordeal", O_CREAT, 0600, 1) == SEM_FAILED; }
