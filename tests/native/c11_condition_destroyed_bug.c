// EXPECT: bug lock-misuse condition
#include <threads.h>

cnd_t condition;

int main(void) {
  cnd_init(&condition);
  cnd_destroy(&condition);
  cnd_signal(&condition);  // BUG
  return 0;
}
