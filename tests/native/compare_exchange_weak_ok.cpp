// EXPECT: verified 5
// Both may fail spuriously: a succeeds (b then fails reading 1, or fails spuriously reading 0: 2), b succeeds (likewise 2),
// both fail spuriously (1): 5. A failure that reads a value other than the expected one is not spurious.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x;
int first, second;

int main() {
  std::thread a([] { int expected = 0; first = x.compare_exchange_weak(expected, 1); });
  std::thread b([] { int expected = 0; second = x.compare_exchange_weak(expected, 2); });
  a.join();
  b.join();
  assert(first + second <= 1);
}
