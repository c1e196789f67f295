// EXPECT: verified 24
// Four threads add to one atomic: 4! orders; who started them does not matter.
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
