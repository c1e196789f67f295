// EXPECT: cannot-check sigtimedwait
// FLAGS: -D_GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <time.h>

int main(void) {
  sigset_t set;
  sigemptyset(&set);
  const struct timespec soon = {0, 1000};
  return sigtimedwait(&set, NULL, &soon) == -1;
}
