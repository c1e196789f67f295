// EXPECT: bug data-race data
// unlock_shared does not synchronise with a later lock_shared.
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex guard;
std::atomic<bool> done;
int data;

int main() {
  std::thread a([] {
    {
      std::shared_lock lock(guard);
      data = 1;  // BUG
    }
    done.store(true, std::memory_order_relaxed);
  });
  while (!done.load(std::memory_order_relaxed)) {
  }
  {
    std::shared_lock lock(guard);
    if (data == 0) a.join();  // BUG
  }
  a.join();
}
