// EXPECT: verified 2
// OPTIONS: --no-spurious
// fetch_add of a float is a load and a loop of compare-exchanges. a's additions in two orders; the loser's first load may see
// the old value and fail once: then it goes round with the new value. Without waiting loops the number is that of the
// loads: the loser reads 0 (compare-exchange fails, then succeeds) or the winner's value: 2 winners × 2 = 4; see PENDING.
// PENDING: a loop with a compare-exchange; the number is to be settled with waiting loops
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
