// EXPECT: verified 1
// BLOCKED: 0
// OPTIONS: --symmetry
// SHOWS: the only execution class up to symmetry of 6 threads
// N increments read from one another in a chain: N! classes that differ only in which thread is which.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

constexpr int kThreads = 6;
std::atomic<int> counter;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([] { counter.fetch_add(1, std::memory_order_relaxed); });
  for (std::thread& thread : threads) thread.join();
  assert(counter == kThreads);
}
