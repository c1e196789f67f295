// EXPECT: verified 4
// The thread that accesses the whole first in one execution is the second in another: it reads 0 or 1 of `x`, and independently the whole before or after the
// addition.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

union {
  std::atomic<std::uint32_t> half[2];
  std::atomic<std::uint64_t> whole;
} shared{{5, 6}};
std::atomic<int> x;

int main() {
  std::thread before([] { shared.half[1].store(7, std::memory_order_relaxed); });
  before.join();
  std::thread a([] {
    (void)x.load(std::memory_order_relaxed);
    const std::uint64_t whole = shared.whole.load(std::memory_order_relaxed);
    assert(whole == 0x700000005 || whole == 0x700000006);
  });
  std::thread b([] {
    shared.whole.fetch_add(1, std::memory_order_relaxed);
    x.store(1, std::memory_order_relaxed);
  });
  a.join();
  b.join();
}
