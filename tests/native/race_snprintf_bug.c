// EXPECT: bug data-race text
// The C library writes the text.
#include <pthread.h>
#include <stdio.h>

char text[8];

void* print(void* number) {
  snprintf(text, sizeof text, "%d", *(int*)number);  // BUG
  return NULL;
}

int main(void) {
  int one = 1, two = 2;
  pthread_t a, b;
  pthread_create(&a, NULL, print, &one);
  pthread_create(&b, NULL, print, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
