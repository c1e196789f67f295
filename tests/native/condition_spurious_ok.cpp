// EXPECT: verified
// With spurious wake-ups: the predicate is asked again.
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
    while (items == 0) changed.wait(lock);
    --items;
  });
  {
    std::lock_guard<std::mutex> lock(guard);
    ++items;
  }
  changed.notify_all();
  consumer.join();
  assert(items == 0);
}
