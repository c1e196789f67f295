// EXPECT: verified 2
// Whichever thread comes first creates a third one, which returns a block from the heap. Two orders of the mutex.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int* made;

void* make(void* unused) {
  (void)unused;
  int* block = malloc(sizeof *block);
  *block = 5;
  return block;
}

void* use(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  if (made == NULL) {
    pthread_t maker;
    void* block;
    pthread_create(&maker, NULL, make, NULL);
    pthread_join(maker, &block);
    made = block;
  }
  assert(*made == 5);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, use, NULL);
  pthread_create(&b, NULL, use, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(made);
  return 0;
}
