// EXPECT: bug assertion
// OPTIONS: --symmetry
// SHOWS: note: no two threads are symmetric
// Main stores between the creations, which only the second thread must see: the bug needs the first one to come last.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> counter, ready;

void run() {
  const int seen = ready.load(std::memory_order_relaxed);
  if (counter.fetch_add(1) == 1) assert(seen == 1);  // BUG
}

int main() {
  std::thread a(run);
  ready.store(1, std::memory_order_relaxed);
  std::thread b(run);
  a.join();
  b.join();
}
