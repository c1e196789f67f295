// EXPECT: verified
// 2 classes at best; a first turn whose registers differ from the next may add some.
// Who takes the first ticket; then everything is forced.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> next, serving;
int counter;

void increment() {
  const int mine = next.fetch_add(1, std::memory_order_relaxed);
  while (serving.load(std::memory_order_acquire) != mine) {
  }
  ++counter;
  serving.store(mine + 1, std::memory_order_release);
}

int main() {
  std::thread a(increment), b(increment);
  a.join();
  b.join();
  assert(counter == 2);
}
