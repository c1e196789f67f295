// EXPECT: bug lock-misuse joins a thread that is detached
#include <stddef.h>
#include <threads.h>

static int run(void* argument) { return argument != NULL; }

int main(void) {
  thrd_t a;
  thrd_create(&a, run, NULL);
  thrd_detach(a);
  thrd_join(a, NULL);  // BUG
  return 0;
}
