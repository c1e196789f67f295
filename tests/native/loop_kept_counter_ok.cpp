// EXPECT: verified
// OPTIONS: --full
// LEVELS: O0 O2
// SHOWS: compare-exchange: it leaves other values in the thread's own variables (a counter, or what it has read)
// What kept a turn: the number of failed tries is used afterwards (loop_trap_c1).
#include <atomic>
#include <thread>

std::atomic<int> x, tries;

int main() {
  std::thread a([] {
    int failed = 0;
    int seen = x.load(std::memory_order_relaxed);
    while (!x.compare_exchange_strong(seen, 3, std::memory_order_relaxed, std::memory_order_relaxed)) ++failed;
    tries.store(failed, std::memory_order_relaxed);
  });
  std::thread b([] {
    x.store(1, std::memory_order_relaxed);
    x.store(2, std::memory_order_relaxed);
  });
  a.join();
  b.join();
}
