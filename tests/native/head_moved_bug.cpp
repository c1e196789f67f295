// EXPECT: bug assertion fails
// As head_moved_ok.cpp, in the belief that nobody can come in between the second look and the compare-exchange.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> head;

void move_on() {
  for (;;) {
    int first = head.load(std::memory_order_acquire);
    if (first != head.load(std::memory_order_relaxed)) continue;
    const bool fails = !head.compare_exchange_strong(first, first + 1, std::memory_order_release, std::memory_order_relaxed);
    assert(!fails);  // BUG
    return;
  }
}

int main() {
  std::thread a(move_on), b(move_on);
  a.join();
  b.join();
}
