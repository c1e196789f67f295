// EXPECT: verified 1
// Four blind stores to one location: modification order is not part of a class.
#include <atomic>
#include <thread>

std::atomic<int> x;

int main() {
  std::thread a([] { x.store(1); }), b([] { x.store(2); }), c([] { x.store(3); }), d([] { x.store(4); });
  a.join();
  b.join();
  c.join();
  d.join();
}
