// EXPECT: verified 2
// Nobody is first: two threads add to the whole of 8 bytes, which nobody has accessed as such before, in either order. None may lose the other's
// addition, or take the bytes from before.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

union {
  std::atomic<std::uint32_t> half[2];
  std::atomic<std::uint64_t> whole;
} shared{{5, 6}};

int main() {
  std::thread before([] { shared.half[0].store(7, std::memory_order_relaxed); });
  before.join();
  std::thread a([] { shared.whole.fetch_add(1, std::memory_order_relaxed); }), b([] { shared.whole.fetch_add(2, std::memory_order_relaxed); });
  a.join();
  b.join();
  assert(shared.half[0].load(std::memory_order_relaxed) == 10);
  assert(shared.half[1].load(std::memory_order_relaxed) == 6);
  shared.half[1].store(1, std::memory_order_relaxed);
  assert(shared.whole.load(std::memory_order_relaxed) == 0x10000000A);
}
