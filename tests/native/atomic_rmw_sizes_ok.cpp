// EXPECT: verified 16
// Two read-modify-writes on each of four atomics, one a thread, relaxed: each pair in two orders, independently: 2^4 = 16.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

std::atomic<std::uint8_t> one{255};
std::atomic<std::int16_t> two{32767};
std::atomic<std::uint32_t> four{0};
std::atomic<std::int64_t> eight{-1};

int main() {
  std::thread a([] {
    one.fetch_add(1, std::memory_order_relaxed);
    two.fetch_add(1, std::memory_order_relaxed);
    four.fetch_sub(1, std::memory_order_relaxed);
    eight.fetch_and(0xFF, std::memory_order_relaxed);
  });
  std::thread b([] {
    one.fetch_add(1, std::memory_order_relaxed);
    two.fetch_add(1, std::memory_order_relaxed);
    four.fetch_xor(0, std::memory_order_relaxed);
    eight.fetch_and(0xFFF, std::memory_order_relaxed);
  });
  a.join();
  b.join();
  assert(one == 1 && two == -32767 && four == 0xFFFFFFFF && eight == 0xFF);
}
