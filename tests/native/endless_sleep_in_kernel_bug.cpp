// EXPECT: bug no-progress main
// OPTIONS: --watchdog 1
// A wait in the kernel that nothing ends.
#include <unistd.h>

int main() {
  int ends[2];
  char byte;
  if (pipe(ends) != 0) return 1;
  return read(ends[0], &byte, 1) == 1 ? 0 : 2;  // BUG
}
