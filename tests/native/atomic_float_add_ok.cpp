// EXPECT: verified 2..4
// EXPECT (clang O2): verified 2
// OPTIONS: --no-spurious
// fetch_add of a float is a load and compare-exchanges until one succeeds. 2 classes: a or b is first, and the other's load reads the new
// value. If it reads the old one, its first compare-exchange fails and goes on with the new one, which the load might have read (both are
// relaxed): no class of its own. 2 × 2 = 4 with these: they need not be recognised where a slot that is dead differs.
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
