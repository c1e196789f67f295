// EXPECT: verified 1..
// EXPECT (O2): verified 1
// OPTIONS: --symmetry
// A test-and-test-and-set lock: the order of the sections is all that there is. With -O0 turns of the loop that are not recognised add some.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> locked;
int counter;

int main() {
  std::thread threads[3];
  for (std::thread& thread : threads)
    thread = std::thread([] {
      while (locked.exchange(true, std::memory_order_acquire)) {
        while (locked.load(std::memory_order_relaxed)) {
        }
      }
      ++counter;
      locked.store(false, std::memory_order_release);
    });
  for (std::thread& thread : threads) thread.join();
  assert(counter == 3);
}
