// EXPECT: verified 5
// EXPECT (O0): verified 5..8
// A turn of the loop looks at plain memory that another thread writes while the loop waits. `state` 1 is read in vain if `limit` is
// still 5 then, and not if it is 6: that it was 5 when the thread came to the loop says nothing.
// The writer reads wish 0: both threads leave with 2 (1 class). It reads 1: each leaves with 1 or 2 (4 classes).
// At -O0 the turn that reads 1 in vain need not be recognised, since it leaves a 1 in a slot that is dead. If the writer reads wish 0, each
// thread may make one such turn or not: 4 classes instead of 1, 8 in all.
#include <atomic>
#include <thread>

std::atomic<int> state{0}, wish{0};
int limit = 5;
int first, second;

void wait(int* result) {
  for (;;) {
    const int seen = state.load(std::memory_order_acquire);
    if (seen == 2) {
      *result = 2;
      return;
    }
    if (seen == 1 && limit == 6) {
      *result = 1;
      return;
    }
  }
}

int main() {
  std::thread writer([] {
    if (wish.load() != 0) limit = 6;
    state.store(1, std::memory_order_release);
    state.store(2, std::memory_order_release);
  });
  std::thread wisher([] { wish.store(1); });
  std::thread a(wait, &first), b(wait, &second);
  writer.join();
  wisher.join();
  a.join();
  b.join();
}
