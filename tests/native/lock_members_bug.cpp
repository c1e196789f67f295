// EXPECT: bug data-race counter
// The lock is swapped for one that is not locked, and ends too early.
#include <pthread.h>

#include <mutex>
#include <thread>

std::mutex guard;
int counter;

int main() {
  std::thread a([] {
    pthread_mutex_lock(guard.native_handle());
    ++counter;  // BUG
    pthread_mutex_unlock(guard.native_handle());
  });
  {
    std::unique_lock first(guard, std::defer_lock);
    {
      std::unique_lock second(guard);
      second.swap(first);
      second.swap(first);
    }
    ++counter;  // BUG
  }
  a.join();
}
