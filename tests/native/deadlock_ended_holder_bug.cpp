// EXPECT: bug deadlock guard
// A thread ends with the mutex, a detached one waits for it; main goes on to its end.
#include <pthread.h>

#include <thread>

pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
int uses;

int main() {
  std::thread holder([] { pthread_mutex_lock(&guard); });
  holder.join();
  std::thread([] {
    pthread_mutex_lock(&guard);  // BUG
    ++uses;
  }).detach();
}
