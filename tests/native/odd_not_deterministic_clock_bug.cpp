// EXPECT: cannot-check not deterministic
// The time stamp counter decides what a thread does: another operation each time.
#include <atomic>
#include <thread>

std::atomic<int> x, y;

unsigned long ticks() {
  unsigned low, high;
  asm volatile("rdtsc" : "=a"(low), "=d"(high));
  return (static_cast<unsigned long>(high) << 32 | low) / 8;
}

int main() {
  std::thread a([] {
    for (int i = 0; i < 20; ++i) {
      if (ticks() * 0x9E3779B97F4A7C15 >> 63 != 0) x = 1;
      else y.load();
    }
  });
  a.join();
}
