// EXPECT: cannot-check semop
// FLAGS: -D_GNU_SOURCE
#include <stddef.h>
#include <sys/sem.h>

int main(void) { return semop(0, NULL, 0) == -1; }
