// EXPECT: bug data-race value
// The thread that wrote has been joined by one that is never joined: main, which has joined the third, is not alone.
#include <atomic>
#include <thread>

alignas(64) int value;
alignas(64) std::atomic<bool> is_joined;

int main() {
  std::thread([] {
    std::thread writer([] { value = 1; });  // BUG
    writer.join();
    is_joined.store(true, std::memory_order_relaxed);
  }).detach();
  std::thread([] {
    while (!is_joined.load(std::memory_order_relaxed)) {
    }
  }).join();
  return value - 1;  // BUG
}
