// EXPECT: bug assertion
// OPTIONS: --symmetry
// The bug needs main between the second and the third of the threads.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> counter;

int main() {
  std::thread threads[4];
  for (std::thread& thread : threads) thread = std::thread([] { counter.fetch_add(1); });
  const int before = counter.fetch_add(10);
  for (std::thread& thread : threads) thread.join();
  assert(before != 2);  // BUG
}
