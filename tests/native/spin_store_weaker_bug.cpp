// EXPECT: bug data-race data
// The value was stored with release; the loop stores it again, but relaxed. Main may read that store, and then nothing orders it behind the
// write of `data`. It reads `data` only once the loop has been left.
#include <atomic>
#include <thread>

std::atomic<int> go, waiting, done;
int data;

int main() {
  std::thread waiter([] {
    data = 1;  // BUG
    waiting.store(1, std::memory_order_release);
    while (go.load(std::memory_order_relaxed) != 1) waiting.store(1, std::memory_order_relaxed);
    done.store(1, std::memory_order_relaxed);
  });
  go.store(1, std::memory_order_relaxed);
  const bool is_there = waiting.load(std::memory_order_acquire) == 1;
  while (done.load(std::memory_order_relaxed) != 1) {
  }
  if (is_there && data != 1) return 1;  // BUG
  waiter.join();
}
