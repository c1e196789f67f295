// EXPECT: verified 6
// OPTIONS: --model rc11 --no-spurious
// LEVELS: O0 O2
// Three threads enter a section once each, under a ticket lock.
//
// 6 classes: the orders of the tickets; then everything is forced, since a load that reads another ticket only waits.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> next, serving;
int counter;

void enter() {
  const int mine = next.fetch_add(1, std::memory_order_relaxed);
  while (serving.load(std::memory_order_acquire) != mine) {
  }
  ++counter;
  serving.store(mine + 1, std::memory_order_release);
}

int main() {
  std::thread a(enter), b(enter), c(enter);
  a.join();
  b.join();
  c.join();
  assert(counter == 3);
}
