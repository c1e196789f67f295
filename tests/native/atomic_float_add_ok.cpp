// EXPECT: verified 2..4
// EXPECT (O2): verified 2
// OPTIONS: --no-spurious
// fetch_add of a float is a load and compare-exchanges until one succeeds. 2 classes: a or b is first, and the other's load reads the new
// value. If it reads the old one, its first compare-exchange fails and goes on with the new one, which the load might have read (both are
// relaxed or seq_cst alike): no class of its own. Without optimisation, where that need not be recognised, 2 × 2 = 4 is right, too.
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
