// For the profile (cmake/profile.cmake): two threads with five accesses each to one variable, as in `./bench check`. The first choice
// only multiplies the executions.
#include <ordeal/ordeal.h>

#include <atomic>
#include <thread>

std::atomic<int> x{0};

int main() {
  (void)ordeal_choose(100);
#ifdef ADDS
  std::thread a([] { for (int i = 1; i <= 5; ++i) x.fetch_add(i, std::memory_order_relaxed); });
  std::thread b([] { for (int i = 1; i <= 5; ++i) x.fetch_add(i, std::memory_order_relaxed); });
#else
  std::thread a([] { for (int i = 1; i <= 5; ++i) x.store(i, std::memory_order_relaxed); });
  std::thread b([] { for (int i = 1; i <= 5; ++i) (void)x.load(std::memory_order_relaxed); });
#endif
  a.join();
  b.join();
}
