// EXPECT: verified 2
// Ordered by release and acquire, in the executions in which there is an access of the other size: 2 values of `ready`.
#include <atomic>
#include <cassert>
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
    if (!ready.load(std::memory_order_acquire)) return;
    auto* bytes = reinterpret_cast<std::uint8_t*>(&memory);
    assert(std::atomic_ref<std::uint8_t>(bytes[2]).exchange(0) == 0x66);
    assert(memory == 0x1122334455007788);
    bytes[3] = 1;
    assert(std::atomic_ref<std::uint16_t>(*reinterpret_cast<std::uint16_t*>(bytes + 2)).load() == 0x100);
    assert(std::atomic_ref<std::uint64_t>(memory).load() == 0x1122334401007788);
  });
  a.join();
  b.join();
}
