// EXPECT: verified 6
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
