// EXPECT: bug assertion y
// Two threads that never end, each turn of whose loops changes something, with many loads of much that was stored: the first execution takes
// so long that it is given up. The bug comes after three turns.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x, y;

int main() {
  std::thread a([] {
    for (;;) {
      const int seen = x.load();
      y.store(seen + 1);
      if (seen >= 5) break;
      x.store(seen + 1);
    }
  });
  std::thread b([] {
    for (;;) {
      assert(y.load() != 3);  // BUG
      x.fetch_sub(1);
    }
  });
  a.join();
  b.join();
}
