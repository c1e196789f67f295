// EXPECT: verified 1
// Different sizes, ordered by the join.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <thread>

alignas(8) std::uint64_t memory;

int main() {
  std::thread a([] { std::atomic_ref<std::uint64_t>(memory).store(0x0000000200000001ULL); });
  a.join();
  auto& low = *reinterpret_cast<std::uint32_t*>(&memory);
  assert(std::atomic_ref<std::uint32_t>(low).load() == 1);
  std::atomic_ref<std::uint32_t>(low).store(7);
  assert(memory == 0x0000000200000007ULL);
}
