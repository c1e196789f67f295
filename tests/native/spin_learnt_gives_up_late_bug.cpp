// EXPECT: bug assertion nobody got it
// A lock that is never free, and a flag that tells to give up: at first the flag has only values that lead back to the lock. The
// value that leads out comes late, from a thread that was created last.
#include <ordeal/ordeal.h>

#include <atomic>
#include <thread>

std::atomic<int> lock{1}, order{0};
int got[2];

void take(int* result) {
  while (lock.exchange(1, std::memory_order_acquire) != 0)
    if (order.load(std::memory_order_acquire) == 4) return;
  *result = 1;
  lock.store(0, std::memory_order_release);
}

int main() {
  std::thread a(take, &got[0]), b(take, &got[1]);
  std::thread c([] {
    order.store(1);
    order.store(2);
    order.store(3);
    lock.store(0, std::memory_order_release);
  });
  std::thread d([] { order.store(4); });
  a.join();
  b.join();
  c.join();
  d.join();
  ordeal_check(got[0] != 0 || got[1] != 0, "nobody got it");  // BUG
}
