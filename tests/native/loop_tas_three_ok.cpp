// EXPECT: verified 6
// OPTIONS: --model rc11 --no-spurious
// LEVELS: O0 O2
// Three threads enter a section once each, under a test-and-set lock.
//
// 6 classes: the orders of the sections. An exchange that writes back the true that it read changes nothing, so a turn in vain is none.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> locked;
int counter;

void enter() {
  while (locked.exchange(true, std::memory_order_acquire)) {
  }
  ++counter;
  locked.store(false, std::memory_order_release);
}

int main() {
  std::thread a(enter), b(enter), c(enter);
  a.join();
  b.join();
  c.join();
  assert(counter == 3);
}
