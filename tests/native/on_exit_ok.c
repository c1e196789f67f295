// EXPECT: verified 1
// Handlers of on_exit and atexit run in one row, the last first; the former have the code.
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>

static int calls;

static void first(int code, void* argument) { assert(code == 0 && argument == &calls && calls == 2); }
static void second(void) { assert(calls++ == 1); }
static void third(int code, void* argument) { assert(code == 0 && argument == NULL && calls++ == 0); }

int main(void) {
  on_exit(first, &calls);
  atexit(second);
  on_exit(third, NULL);
  return 0;
}
