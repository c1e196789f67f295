// EXPECT: verified 2
// A thread without any operation of the graph has run when it is joined, also in executions that are run again: two of them,
// the increments of b and c in one order or the other.
#include <atomic>
#include <cassert>
#include <thread>

int result;
std::atomic<int> count;

int main() {
  std::thread a([] { result = 5; });
  a.join();
  std::thread b([] { count.fetch_add(1, std::memory_order_relaxed); });
  std::thread c([] { count.fetch_add(1, std::memory_order_relaxed); });
  assert(result == 5);
  b.join();
  c.join();
}
