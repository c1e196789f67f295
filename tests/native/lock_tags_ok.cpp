// EXPECT: verified 3
// OPTIONS: --no-spurious
// The try comes before the other thread, behind it, or into it.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex, other;
int counter;

int main() {
  std::thread a([] {
    mutex.lock();
    std::lock_guard<std::mutex> lock(mutex, std::adopt_lock);
    ++counter;
  });
  {
    std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
    if (lock.owns_lock()) ++counter;
    std::unique_lock<std::mutex> later(other, std::defer_lock);
    assert(!later.owns_lock() && later.try_lock());
    later.release()->unlock();
    std::scoped_lock both(other);
  }
  a.join();
  assert(counter == 1 || counter == 2);
}
