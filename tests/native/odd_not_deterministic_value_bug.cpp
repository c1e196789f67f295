// EXPECT: cannot-check not deterministic
// The same operations, but another value.
#include <atomic>
#include <thread>

std::atomic<unsigned> x;

int main() {
  std::thread a([] {
    unsigned low, high;
    asm volatile("rdtsc" : "=a"(low), "=d"(high));
    x.store(low);
  });
  std::thread b([] { x.load(); });
  a.join();
  b.join();
}
