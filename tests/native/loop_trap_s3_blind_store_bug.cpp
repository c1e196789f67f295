// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap S3 of waiting loops: a turn stores the value that it has just read.
//
// got = 1 and 1 at the end: a store of 1 by the loop comes between 2 and 3, where b reads it, and another comes after the 3. Both are
// stores of a value that the thread read there, in different turns. A rule that takes such a store for one that writes back what it
// read (which is right for a read-modify-write only) leaves the first turn out, and one store cannot be in both places.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x, done;
int got;

int main() {
  std::thread a([] {
    do {
      x.store(x.load(std::memory_order_relaxed), std::memory_order_relaxed);
    } while (done.load(std::memory_order_relaxed) == 0);
  });
  std::thread b([] {
    x.store(1, std::memory_order_relaxed);
    x.store(2, std::memory_order_relaxed);
    got = x.load(std::memory_order_relaxed);
    x.store(3, std::memory_order_relaxed);
    done.store(1, std::memory_order_relaxed);
  });
  a.join();
  b.join();
  assert(!(got == 1 && x.load(std::memory_order_relaxed) == 1));  // BUG
}
