// EXPECT: bug deadlock
// OPTIONS: --symmetry
// Two locks, in an order that depends on who comes first.
#include <atomic>
#include <mutex>
#include <thread>

std::atomic<int> counter;
std::mutex a, b;

int main() {
  std::thread threads[2];
  for (std::thread& thread : threads)
    thread = std::thread([] {
      const bool is_first = counter.fetch_add(1) == 0;
      std::lock_guard outer(is_first ? a : b);  // BUG
      std::lock_guard inner(is_first ? b : a);  // BUG
    });
  for (std::thread& thread : threads) thread.join();  // BUG
}
