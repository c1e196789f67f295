// EXPECT: bug data-race text
// The C library reads the text.
#include <pthread.h>
#include <stdio.h>

char text[] = "ab";

void* change(void* unused) {
  text[0] = 'c';  // BUG
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, change, NULL);
  puts(text);  // BUG
  pthread_join(thread, NULL);
  return 0;
}
