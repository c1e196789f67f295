// EXPECT: bug assertion seen
// FLAGS: -mcx16
// The second of two strong compare-exchanges of 16 bytes fails.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

struct alignas(16) Pair {
  std::uint64_t one, two;
};
std::atomic<Pair> pair;

void swap(std::uint64_t value) {
  Pair seen{0, 0};
  pair.compare_exchange_strong(seen, {value, value});
  assert(seen.one == 0);  // BUG
}

int main() {
  std::thread a(swap, 1), b(swap, 2);
  a.join();
  b.join();
}
