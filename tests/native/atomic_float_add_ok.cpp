// EXPECT: verified 4
// OPTIONS: --no-spurious
// fetch_add of a float is a load and compare-exchanges until one succeeds. a or b is first; the other's load reads the old
// value (then its first compare-exchange fails, the second succeeds) or the new one: 2 × 2 = 4.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<float> sum;

int main() {
  std::thread a([] { sum.fetch_add(0.5f); });
  std::thread b([] { sum.fetch_add(0.25f); });
  a.join();
  b.join();
  assert(sum == 0.75f);
}
