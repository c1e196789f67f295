// EXPECT: bug assertion
// As mixed_sizes_join_ok: the halves need not come from the same thread.
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
  assert(seen == 0x300000001 || seen == 0x400000002);  // BUG
}
