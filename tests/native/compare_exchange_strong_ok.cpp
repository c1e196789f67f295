// EXPECT: verified 2
// One of the two succeeds, the other reads its value.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x;
int first, second;

int main() {
  std::thread a([] { int expected = 0; first = x.compare_exchange_strong(expected, 1); });
  std::thread b([] { int expected = 0; second = x.compare_exchange_strong(expected, 2); });
  a.join();
  b.join();
  assert(first + second == 1);
}
