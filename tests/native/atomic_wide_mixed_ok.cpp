// EXPECT: verified 2
// The same with release and acquire. The flag is seen or not.
#include <atomic>
#include <cassert>
#include <thread>

struct alignas(16) Pair {
  long first, second;
};
Pair pair;
std::atomic<bool> stored;

int main() {
  std::thread writer([] {
    std::atomic_ref<Pair>(pair).store({1, 2});
    stored.store(true, std::memory_order_release);
  });
  std::thread reader([] {
    if (stored.load(std::memory_order_acquire)) assert(pair.second == 2);
  });
  writer.join();
  reader.join();
}
