// EXPECT: bug assertion waiting
// Main overwrites what the loop has stored, and the loop stores it again in its second turn, before it sees `go`: so a turn that stores
// the same again is not for nothing where somebody else stores too.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> go, waiting;

int main() {
  std::thread waiter([] {
    while (go.load(std::memory_order_relaxed) != 1) waiting.store(1, std::memory_order_relaxed);
  });
  while (waiting.load(std::memory_order_relaxed) != 1) {
  }
  waiting.store(2, std::memory_order_relaxed);
  go.store(1, std::memory_order_relaxed);
  waiter.join();
  assert(waiting.load() == 2);  // BUG
}
