// EXPECT: bug assertion first
#include <atomic>
#include <cassert>
#include <thread>

std::atomic_flag flag;
bool first, second;

int main() {
  std::thread a([] { first = !flag.test_and_set(); flag.clear(); });
  std::thread b([] { second = !flag.test_and_set(); });
  a.join();
  b.join();
  assert(first != second);  // BUG
}
