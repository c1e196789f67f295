// EXPECT: bug assertion
// Three failures without reason in a row are possible, and this loop counts them.
#include <atomic>
#include <cassert>

std::atomic<int> number;

int main() {
  int failures = 0, expected = 0;
  while (!number.compare_exchange_weak(expected, 1)) ++failures;
  assert(failures < 3);  // BUG
}
