// EXPECT: verified
// 2 classes at best; a first turn whose registers differ from the next may add some.
// Two sections in two orders; a waiting exchange writes back what it read.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> locked;
int counter;

void increment() {
  while (locked.exchange(true, std::memory_order_acquire)) {
  }
  ++counter;
  locked.store(false, std::memory_order_release);
}

int main() {
  std::thread a(increment), b(increment);
  a.join();
  b.join();
  assert(counter == 2);
}
