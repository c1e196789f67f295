// EXPECT: bug assertion compare_exchange_weak
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x;

int main() {
  std::thread a([] {
    int expected = 0;
    assert(x.compare_exchange_weak(expected, 1));  // BUG
  });
  a.join();
}
