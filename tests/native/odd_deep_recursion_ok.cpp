// EXPECT: verified 2
// 10,000 frames deep, in two threads that each add once at the bottom.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x;

int dive(int depth) {
  if (depth == 0) return x.fetch_add(1) * 0;
  return dive(depth - 1) + 1;
}

int main() {
  std::thread a([] { assert(dive(10000) == 10000); }), b([] { assert(dive(10000) == 10000); });
  a.join();
  b.join();
}
