// EXPECT: verified 6
// BLOCKED: 0
// OPTIONS: --symmetry
// SHOWS: note: no two threads are symmetric
// Each has a number of its own.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> counter;

int main() {
  std::thread threads[3];
  for (int i = 0; i < 3; ++i)
    threads[i] = std::thread([i] { counter.fetch_add(i); });
  for (std::thread& thread : threads) thread.join();
  assert(counter == 3);
}
