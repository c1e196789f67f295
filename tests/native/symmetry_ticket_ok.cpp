// EXPECT: verified 1
// OPTIONS: --symmetry
// A ticket lock: the order of the tickets is all that there is.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> next, serving;
int counter;

int main() {
  std::thread threads[5];
  for (std::thread& thread : threads)
    thread = std::thread([] {
      const int mine = next.fetch_add(1, std::memory_order_relaxed);
      while (serving.load(std::memory_order_acquire) != mine) {
      }
      ++counter;
      serving.store(mine + 1, std::memory_order_release);
    });
  for (std::thread& thread : threads) thread.join();
  assert(counter == 5);
}
