// EXPECT: cannot-check the futex operation FUTEX_WAKE_OP is not supported (wait and wake are)
// FLAGS: -D_GNU_SOURCE
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word, other;

int main(void) { return syscall(SYS_futex, &word, FUTEX_WAKE_OP_PRIVATE, 1, 1, &other, FUTEX_OP(FUTEX_OP_SET, 1, FUTEX_OP_CMP_EQ, 0)) == -1; }
