// EXPECT: cannot-check membarrier
// FLAGS: -D_GNU_SOURCE
// A fence of all threads: not one that the search knows.
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) { return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == -1; }
