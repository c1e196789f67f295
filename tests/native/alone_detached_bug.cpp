// EXPECT: bug data-race value
// main has joined all threads that can be joined, but is not alone: a detached thread, which has ended, has written, and nothing orders that.
#include <atomic>
#include <thread>

alignas(64) int value;
alignas(64) std::atomic<bool> is_written;

int main() {
  std::thread([] {
    value = 1;  // BUG
    is_written.store(true, std::memory_order_relaxed);
  }).detach();
  std::thread([] {
    while (!is_written.load(std::memory_order_relaxed)) {
    }
  }).join();
  return value - 1;  // BUG
}
