// EXPECT: cannot-check the futex operation FUTEX_REQUEUE is not supported (wait and wake are)
// FLAGS: -D_GNU_SOURCE
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word, other;

int main(void) { return syscall(SYS_futex, &word, FUTEX_REQUEUE, 1, 1, &other, 0) == -1; }
