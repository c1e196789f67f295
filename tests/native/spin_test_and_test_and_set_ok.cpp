// EXPECT: verified
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> locked;
int counter;

void increment() {
  do {
    while (locked.load(std::memory_order_relaxed) != 0) {
    }
  } while (locked.exchange(1, std::memory_order_acquire) != 0);
  ++counter;
  locked.store(0, std::memory_order_release);
}

int main() {
  std::thread a(increment), b(increment);
  a.join();
  b.join();
  assert(counter == 2);
}
