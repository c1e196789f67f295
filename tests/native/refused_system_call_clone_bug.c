// EXPECT: cannot-check system call clone
// FLAGS: -D_GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void) { return syscall(SYS_clone, 0, 0, 0, 0, 0) == -1; }
