// EXPECT: bug data-race counter
#include <atomic>
#include <thread>

std::atomic<bool> locked;
int counter;

void increment() {
  while (locked.exchange(true, std::memory_order_relaxed)) {
  }
  ++counter;  // BUG
  locked.store(false, std::memory_order_release);
}

int main() {
  std::thread a(increment), b(increment);
  a.join();
  b.join();
}
