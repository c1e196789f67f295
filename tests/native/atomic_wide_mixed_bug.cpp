// EXPECT: bug data-race pair.second
// An atomic access of 16 bytes, and behind it, ordered by nothing, a plain one to the second half.
#include <atomic>
#include <thread>

struct alignas(16) Pair {
  long first, second;
};
Pair pair;
std::atomic<bool> stored;
long seen;

int main() {
  std::thread writer([] {
    std::atomic_ref<Pair>(pair).store({1, 2});  // BUG
    stored.store(true, std::memory_order_relaxed);
  });
  std::thread reader([] {
    if (stored.load(std::memory_order_relaxed)) seen = pair.second;  // BUG
  });
  writer.join();
  reader.join();
}
