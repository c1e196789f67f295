// EXPECT: bug assertion !taken[i].exchange(true)
// The compiler may make one call of the two (their place is no line of the source then): the assertion itself knows where it is.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> taken[2];

inline void take(int i) {
  assert(!taken[i].exchange(true));  // BUG
}

int main() {
  std::thread a([] {
    take(0);
    take(1);
  });
  std::thread b([] {
    take(0);
    take(1);
  });
  a.join();
  b.join();
}
