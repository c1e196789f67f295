// EXPECT: bug invalid-free
// The pointer is behind the block: there is nothing to make larger.
#include <stdlib.h>

int main(void) {
  char* block = malloc(16);
  block = realloc(block + 16, 32);  // BUG
  free(block);
  return 0;
}
