// EXPECT: verified 2
// State inside libc: rand gives the same numbers in each execution.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

std::atomic<int> x;

int main() {
  std::srand(1);
  const int first = std::rand();
  std::thread a([] { x.fetch_add(std::rand() * 0 + 1); });
  std::thread b([] { x.fetch_add(1); });
  a.join();
  b.join();
  std::srand(1);
  assert(std::rand() == first && x == 2);
}
