// EXPECT: bug no-progress go
// The same, but main stores another value than the one that is waited for.
#include <atomic>
#include <thread>

std::atomic<int> go, waiting;

int main() {
  std::thread waiter([] {
    while (go.load(std::memory_order_relaxed) != 1) waiting.store(1, std::memory_order_relaxed);  // BUG
  });
  go.store(2, std::memory_order_relaxed);
  waiter.join();  // BUG
}
