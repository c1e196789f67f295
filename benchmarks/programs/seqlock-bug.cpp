// EXPECT: bug assertion data[0] == data[1]
// The bug that C11Tester's authors put into the sequence lock: write() loads the number relaxed. So the second writer need not
// know the data of the first, and they may be later in modification order than its own: one word of each is what a reader with the last
// number finds. All data are atomic, so there is no race. C11Tester finds it in 28.8 % of its executions.
#include <cassert>
#include <thread>

#include "seqlock.h"

using Lock = Seqlock<2, SeqlockOrder::kAccesses, std::memory_order_relaxed>;
Lock seqlock;

int main() {
  seqlock.clear();
  std::thread a([] { seqlock.write({3, 3}); });
  std::thread b([] { seqlock.write({2, 2}); });
  std::thread reader([] {
    const Lock::Data data = seqlock.read();
    assert(data[0] == data[1]);  // BUG
  });
  a.join();
  b.join();
  reader.join();
}
