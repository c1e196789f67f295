// EXPECT: verified 2
// FLAGS: -mcx16
// The load reads the initial value or the stored one, never half of it.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

struct alignas(16) Pair {
  std::uint64_t one, two;
};
std::atomic<Pair> pair;

int main() {
  std::thread a([] { pair.store({7, 7}, std::memory_order_relaxed); });
  std::thread b([] {
    const Pair seen = pair.load(std::memory_order_relaxed);
    assert(seen.one == seen.two && (seen.one == 0 || seen.one == 7));
  });
  a.join();
  b.join();
}
