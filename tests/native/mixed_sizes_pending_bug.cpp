// EXPECT: cannot-check atomic accesses of different sizes
// A thread that waits for 8 bytes while another writes 4 of them: what the wait reads meanwhile is not ordered.
#include <atomic>
#include <cstdint>
#include <thread>

union {
  std::atomic<std::uint32_t> half[2];
  std::atomic<std::uint64_t> whole;
} shared{{0, 0}};

int main() {
  std::thread a([] { shared.whole.wait(0, std::memory_order_acquire); });
  std::thread b([] {
    shared.half[0].store(1, std::memory_order_relaxed);
    shared.whole.store(2, std::memory_order_release);
    shared.whole.notify_all();
  });
  a.join();
  b.join();
}
