// EXPECT: cannot-check thread 1 atomically writes 8 bytes
// SHOWS: atomically writes 8 bytes at
// SHOWS: atomically reads 4 bytes at
// Two threads access the same atomic memory with different sizes, unordered (memory-model.md, section 1).
#include <atomic>
#include <cstdint>
#include <thread>

alignas(8) std::uint64_t memory;

int main() {
  std::thread a([] { std::atomic_ref<std::uint64_t>(memory).store(~0ULL); });
  std::thread b([] { (void)std::atomic_ref<std::uint32_t>(*reinterpret_cast<std::uint32_t*>(&memory)).load(); });
  a.join();
  b.join();
}
