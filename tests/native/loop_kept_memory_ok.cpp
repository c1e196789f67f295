// EXPECT: verified
// OPTIONS: --full
// LEVELS: O0 O2
// SHOWS: load: it leaves other values in memory
// What kept a turn: a counter that is not on the thread's own stack, and is used afterwards.
#include <atomic>
#include <thread>

std::atomic<int> x, result;
int looks;

int main() {
  std::thread a([] {
    while (x.load(std::memory_order_relaxed) < 2) {
      if (++looks == 2) break;
    }
    result.store(looks, std::memory_order_relaxed);
  });
  std::thread b([] {
    x.store(1, std::memory_order_relaxed);
    x.store(2, std::memory_order_relaxed);
  });
  a.join();
  b.join();
}
