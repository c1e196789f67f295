// EXPECT: bug assertion closed while waiting
// Threads that wait for the lock read 1 in vain, and 0 leads them back to the exchange: so it seems in most executions, and the
// exchange seems to wait for 0. But if thread 1 is the third to enter, it leaves a 2, for which the inner loop was written.
#include <ordeal/ordeal.h>

#include <atomic>
#include <thread>

std::atomic<int> lock;  // 0 free, 1 held, 2 closed
int entered;

void work(int id) {
  int state;
  while ((state = lock.exchange(1, std::memory_order_acquire)) == 1) {
    int seen;
    while ((seen = lock.load(std::memory_order_relaxed)) == 1) {
    }
    ordeal_check(seen != 2, "closed while waiting");  // BUG
  }
  if (state == 2) return;
  ++entered;
  lock.store(id == 1 && entered == 3 ? 2 : 0, std::memory_order_release);
}

int main() {
  std::thread one(work, 1), two(work, 2), three(work, 3), four(work, 4);
  one.join();
  two.join();
  three.join();
  four.join();
}
