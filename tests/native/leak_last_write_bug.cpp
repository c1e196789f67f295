// EXPECT: bug leak
// OPTIONS: --leaks
// Nobody reads what is there in the end, and it is one of the two blocks: the other is lost, whichever that is.
#include <atomic>
#include <thread>

std::atomic<int*> shared;

void set() {
  shared.store(new int(1), std::memory_order_relaxed);  // BUG
}

int main() {
  std::thread a(set), b(set);
  a.join();
  b.join();
}
