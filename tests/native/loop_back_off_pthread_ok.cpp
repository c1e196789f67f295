// EXPECT: verified
// LEVELS: O0 O1 O2 O3
// As loop_back_off_ok, with pthreads, whose try fails only if the mutex is held: turns in which it is held are made as often as the other thread tries (ADR 9).
#include <cassert>
#include <pthread.h>
#include <thread>

pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
int counter;

void lock_both(pthread_mutex_t* own, pthread_mutex_t* other) {
  for (;;) {
    pthread_mutex_lock(own);
    if (pthread_mutex_trylock(other) == 0) break;
    pthread_mutex_unlock(own);
  }
  ++counter;
  pthread_mutex_unlock(other);
  pthread_mutex_unlock(own);
}

int main() {
  std::thread a([] { lock_both(&first, &second); }), b([] { lock_both(&second, &first); });
  a.join();
  b.join();
  assert(counter == 2);
}
