// EXPECT: bug abort
#include <atomic>
#include <cstdlib>
#include <thread>

std::atomic<int> x;

int main() {
  std::thread a([] { x = 1; });
  if (x == 1) std::abort();  // BUG
  a.join();
}
