// EXPECT: bug assertion items
// `if` instead of `while`: a spurious wake-up finds nothing.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex guard;
std::condition_variable changed;
int items;

int main() {
  std::thread consumer([] {
    std::unique_lock<std::mutex> lock(guard);
    if (items == 0) changed.wait(lock);
    assert(items == 1);  // BUG
  });
  {
    std::lock_guard<std::mutex> lock(guard);
    ++items;
    changed.notify_one();
  }
  consumer.join();
}
