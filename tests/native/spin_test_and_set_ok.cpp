// EXPECT: verified
// 6 classes at best; a first turn whose registers differ from the next may add some.
// Three sections in 3! orders.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic_flag locked;
int counter;

void increment() {
  while (locked.test_and_set(std::memory_order_acquire)) {
  }
  ++counter;
  locked.clear(std::memory_order_release);
}

int main() {
  std::thread a(increment), b(increment), c(increment);
  a.join();
  b.join();
  c.join();
  assert(counter == 3);
}
