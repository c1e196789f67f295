// EXPECT: cannot-check the futex operation FUTEX_LOCK_PI is not supported (wait and wake are)
// FLAGS: -D_GNU_SOURCE
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word, other;

int main(void) { return syscall(SYS_futex, &word, FUTEX_LOCK_PI_PRIVATE, 0, NULL, &other, 0) == -1; }
