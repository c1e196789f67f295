// EXPECT: verified 3
// litmus sb/SB+scs: not both loads read 0.
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
