// EXPECT: cannot-check atomic accesses of different sizes
// SHOWS: atomically writes 8 bytes at
// SHOWS: atomically reads 1 byte at
// As mixed_sizes_acquire_ok, but the load is relaxed: nothing orders the two.
#include <atomic>
#include <cstdint>
#include <thread>

alignas(8) std::uint64_t memory;
std::atomic<bool> ready;

int main() {
  std::thread a([] {
    std::atomic_ref<std::uint64_t>(memory).store(0x1122334455667788, std::memory_order_relaxed);
    ready.store(true, std::memory_order_release);
  });
  std::thread b([] {
    if (!ready.load(std::memory_order_relaxed)) return;
    (void)std::atomic_ref<std::uint8_t>(*reinterpret_cast<std::uint8_t*>(&memory)).load();
  });
  a.join();
  b.join();
}
