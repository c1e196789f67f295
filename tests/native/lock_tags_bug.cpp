// EXPECT: bug data-race counter
// try_to_lock may leave without the lock, and defer_lock does.
#include <mutex>
#include <thread>

std::recursive_timed_mutex mutex;
std::mutex other;
int counter;

int main() {
  std::thread a([] {
    mutex.lock();
    std::lock_guard<std::recursive_timed_mutex> lock(mutex, std::adopt_lock);
    ++counter;  // BUG
  });
  {
    std::scoped_lock one(other);
    std::unique_lock<std::recursive_timed_mutex> lock(mutex, std::try_to_lock), later(mutex, std::defer_lock);
    if (later.owns_lock()) return 1;
    later.release();
    ++counter;  // BUG
  }
  a.join();
}
