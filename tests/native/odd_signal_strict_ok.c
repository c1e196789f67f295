// EXPECT: verified 1
// FLAGS: -std=c11
// In strict C, `signal` has another name in glibc. Its handler runs once: then the default is back, which here is not reached.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

int caught;
int numbers[4096];

void note(int number) { caught += number; }

void* fill(void* unused) {
  for (int i = 0; i < 4096; ++i) numbers[i] = i;  // what Ordeal protects, it gets to know by a signal, too: not by the program's handler
  return unused;
}

int main(void) {
  pthread_t thread;
  signal(SIGSEGV, note);
  signal(SIGTERM, note);
  pthread_create(&thread, 0, fill, 0);
  pthread_join(thread, 0);
  raise(SIGTERM);
  assert(caught == SIGTERM && numbers[4095] == 4095);
  assert(signal(SIGTERM, SIG_IGN) == SIG_DFL);
  raise(SIGTERM);
  return 0;
}
