// EXPECT: bug data-race
// Relaxed, the pointer is there, but not what it points to.
#include <atomic>
#include <memory>
#include <thread>

int main() {
  std::atomic<std::shared_ptr<int>> current;
  std::thread a([&] { current.store(std::make_shared<int>(1), std::memory_order_relaxed); });  // BUG
  int seen = 0;
  if (const std::shared_ptr<int> now = current.load(std::memory_order_relaxed)) seen = *now;  // BUG
  a.join();
  return seen > 1;
}
