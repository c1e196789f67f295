// EXPECT: verified 3
// FLAGS: -O3 -std=c++17
// litmus sb/SB+scs, other flags.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x, y;
int r, s;

int main() {
  std::thread a([] { x = 1; r = y; });
  std::thread b([] { y = 1; s = x; });
  a.join();
  b.join();
  assert(r == 1 || s == 1);
}
