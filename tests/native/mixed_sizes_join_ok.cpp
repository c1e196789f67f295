// EXPECT: verified 4
// Two atomics of 4 bytes, each with two blind stores of different threads; main joins and reads the whole by one atomic of 8 bytes. Each half has either
// store last: 2 · 2. The two threads that read it afterwards see the same as main.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

alignas(8) std::uint32_t half[2];

std::uint64_t whole() { return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(half)).load(); }
void store(int i, std::uint32_t value) { std::atomic_ref<std::uint32_t>(half[i]).store(value, std::memory_order_relaxed); }

int main() {
  std::thread a([] { store(0, 1), store(1, 3); }), b([] { store(0, 2), store(1, 4); });
  a.join();
  b.join();
  const std::uint64_t seen = whole();
  assert((seen & 0xFFFFFFFF) == 1 || (seen & 0xFFFFFFFF) == 2);
  assert(seen >> 32 == 3 || seen >> 32 == 4);
  std::thread c([&] { assert(whole() == seen); }), d([&] { assert(whole() == seen); });
  c.join();
  d.join();
}
