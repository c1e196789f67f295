// EXPECT: verified 2
// One of the two is first.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic_flag flag = ATOMIC_FLAG_INIT;
bool first, second;

int main() {
  std::thread a([] { first = !flag.test_and_set(); });
  std::thread b([] { second = !flag.test_and_set(); });
  a.join();
  b.join();
  assert(first != second && flag.test());
}
