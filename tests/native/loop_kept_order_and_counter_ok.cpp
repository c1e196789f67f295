// EXPECT: verified
// OPTIONS: --full
// LEVELS: O0 O2
// SHOWS: compare-exchange: it leaves other values in the thread's own variables (a counter, or what it has read)
// What kept a turn: the load acquires and the failed compare-exchange does not, but with other orders the turn would be kept, too: the number of failed
// tries is used afterwards.
#include <atomic>
#include <thread>

std::atomic<int> x, tries;

int main() {
  std::thread a([] {
    int failed = 0;
    int seen = x.load(std::memory_order_acquire);
    while (!x.compare_exchange_strong(seen, 3, std::memory_order_release, std::memory_order_relaxed)) ++failed;
    tries.store(failed, std::memory_order_relaxed);
  });
  std::thread b([] { x.store(1, std::memory_order_release); });
  a.join();
  b.join();
}
