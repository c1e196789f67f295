// EXPECT: cannot-check inline assembly
// A fence that is not seen.
#include <atomic>
#include <thread>

std::atomic<int> x, y;

void raise(std::atomic<int>& mine, std::atomic<int>& other) {
  mine.store(1, std::memory_order_relaxed);
  __asm__ volatile("mfence" : : : "memory");
  other.load(std::memory_order_relaxed);
}

int main() {
  std::thread a(raise, std::ref(x), std::ref(y));
  raise(y, x);
  a.join();
}
