// EXPECT: verified 2
// A mutex is locked by its native handle; locks change hands. One of the two threads is first.
#include <pthread.h>

#include <cassert>
#include <mutex>
#include <thread>
#include <utility>

std::mutex guard;
int counter;

int main() {
  std::thread a([] {
    pthread_mutex_lock(guard.native_handle());
    ++counter;
    pthread_mutex_unlock(guard.native_handle());
  });
  {
    std::unique_lock first(guard), second(guard, std::defer_lock);
    first.swap(second);
    assert(!first.owns_lock() && second.owns_lock());
    swap(first, second);
    ++counter;
  }
  a.join();
  assert(counter == 2);
}
