// EXPECT: verified 12
// BLOCKED: 0
// OPTIONS: --symmetry
// SHOWS: all 12 execution classes up to symmetry of 2 threads
// As odd_threads_start_threads_ok: 4! orders. The two that a thread other than main starts are symmetric, also when the search goes back to where it was
// about to create them.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x;

void add() { x.fetch_add(1, std::memory_order_relaxed); }

int main() {
  std::thread a([] {
    std::thread b(add), c(add);
    add();
    b.join();
    c.join();
  });
  std::thread d(add);
  a.join();
  d.join();
  assert(x == 4);
}
