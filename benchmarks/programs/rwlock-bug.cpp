// EXPECT: bug assertion one == two
// The bug that C11Tester's authors put into the Linux readers-writer lock: write_lock() is relaxed. So a writer need not know the data
// of the one before it, and they may be later in modification order than its own: a reader finds one word of each. All data are
// atomic, so there is no race. C11Tester finds it in 55.3 % of its executions.
#include <atomic>
#include <cassert>
#include <thread>

#include "linuxrwlocks.h"

LinuxRwLock<std::memory_order_relaxed, std::memory_order_relaxed> lock;
std::atomic<int> data1, data2;

void work() {
  for (int i = 0; i < 4; ++i) {
    if (i % 2 == 0) {
      lock.read_lock();
      const int one = data1.load(std::memory_order_relaxed), two = data2.load(std::memory_order_relaxed);
      assert(one == two);  // BUG
      lock.read_unlock();
    } else {
      lock.write_lock();
      data1.store(i, std::memory_order_relaxed);
      data2.store(i, std::memory_order_relaxed);
      lock.write_unlock();
    }
  }
}

int main() {
  std::thread a(work), b(work), c(work);
  a.join();
  b.join();
  c.join();
}
