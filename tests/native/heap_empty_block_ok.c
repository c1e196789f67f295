// EXPECT: verified
// A block of no bytes can be made larger, and freed.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  char* block = malloc(0);
  char* other = malloc(0);
  assert(block != NULL && block != other);
  block = realloc(block, 8);
  block[7] = 1;
  free(block);
  free(other);
  return 0;
}
