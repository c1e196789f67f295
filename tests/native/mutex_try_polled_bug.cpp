// EXPECT: bug assertion
// As pthread_try_bug.c: the other thread may hold the mutex in a turn that need not be part of the execution, also behind an unlock of main's own.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
bool ready;

int main() {
  std::thread other([] {
    for (;;) {
      const std::lock_guard guard(mutex);
      if (ready) return;
    }
  });
  mutex.lock();
  mutex.unlock();
  const bool has_it = mutex.try_lock();
  if (has_it) mutex.unlock();
  mutex.lock();
  ready = true;
  mutex.unlock();
  other.join();
  assert(has_it);  // BUG
}
