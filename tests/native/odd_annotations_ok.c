// EXPECT: verified 7
// What libraries call when they are compiled for ThreadSanitizer. Classes: if the load reads 1, both releases come before both
// acquires; if it reads 0, they come in any of the 6 orders that keep those of each thread.
#include <pthread.h>
#include <stdatomic.h>

void AnnotateHappensBefore(const char* file, int line, const volatile void* address);
void AnnotateHappensAfter(const char* file, int line, const volatile void* address);
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void __tsan_acquire(void* address);
void __tsan_release(void* address);
void __tsan_mutex_pre_lock(void* address, unsigned flags);

atomic_int flag;

void* set(void* unused) {
  AnnotateHappensBefore(__FILE__, __LINE__, &flag);
  __tsan_release(&flag);
  atomic_store(&flag, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, set, NULL);
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  atomic_load(&flag);
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  AnnotateHappensAfter(__FILE__, __LINE__, &flag);
  __tsan_acquire(&flag);
  __tsan_mutex_pre_lock(&flag, 0);
  pthread_join(thread, NULL);
}
