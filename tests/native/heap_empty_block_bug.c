// EXPECT: bug out-of-bounds
// A block of no bytes has no first byte.
#include <stdlib.h>

int main(void) {
  char* block = malloc(0);
  block[0] = 1;  // BUG
  free(block);
  return 0;
}
