// EXPECT: bounded --max-events
// A loop without an end that stores and loads in the order S. What the other thread could read of so many stores is not tried one by one: each
// takes its time in so long an execution.
#include <atomic>
#include <thread>

std::atomic<int> x;

int main() {
  std::thread stores([] {
    while (x.load() != 1) {
      x.store(2);
      x.store(3, std::memory_order_release);
    }
  });
  std::thread adds([] { x.fetch_add(1, std::memory_order_relaxed); });
  stores.join();
  adds.join();
}
