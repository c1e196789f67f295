// EXPECT: bug deadlock
// Main waits for the thread, the thread waits for main.
#include <pthread.h>

pthread_t main_thread;

void* wait_for_main(void* unused) {
  pthread_join(main_thread, 0);  // BUG
  return unused;
}

int main(void) {
  pthread_t thread;
  main_thread = pthread_self();
  pthread_create(&thread, 0, wait_for_main, 0);
  pthread_join(thread, 0);  // BUG
  return 0;
}
