// EXPECT: verified 3
// Which of the three blind stores is last: main's load behind the joins reads any of them, not the initial value.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x;

int main() {
  std::thread a([] { x.store(1); }), b([] { x.store(2); }), c([] { x.store(3); });
  a.join();
  b.join();
  c.join();
  assert(x.load() != 0);
}
