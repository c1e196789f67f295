// EXPECT: bug data-race value
// OPTIONS: --symmetry
// Whoever comes first and whoever comes last of the threads write without order.
#include <atomic>
#include <thread>

std::atomic<int> counter;
int value;

int main() {
  std::thread threads[3];
  for (std::thread& thread : threads)
    thread = std::thread([] {
      const int place = counter.fetch_add(1, std::memory_order_relaxed);
      if (place != 1) value = place;  // BUG
    });
  for (std::thread& thread : threads) thread.join();
}
