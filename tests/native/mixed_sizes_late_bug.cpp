// EXPECT: cannot-check atomic accesses of different sizes
// The two sizes meet only if the compare-exchange comes last of three: whatever is explored first, it is told.
#include <atomic>
#include <cstdint>
#include <thread>

alignas(8) std::uint64_t memory;
std::atomic<int> turn;

int main() {
  std::thread a([] {
    if (turn.fetch_add(1) == 2) (void)std::atomic_ref<std::uint32_t>(*reinterpret_cast<std::uint32_t*>(&memory)).load();
  });
  std::thread b([] { std::atomic_ref<std::uint64_t>(memory).store(1), turn.fetch_add(1, std::memory_order_relaxed); });
  std::thread c([] { turn.fetch_add(1, std::memory_order_relaxed); });
  a.join();
  b.join();
  c.join();
}
