// Four threads add one, N times each.
#include <atomic>
#include <thread>

#ifndef N
#define N 1'000'000
#endif

std::atomic<int> x{0};

int main() {
  const auto add = [] {
    for (int i = 0; i < N; ++i) x.fetch_add(1, std::memory_order_relaxed);
  };
  std::thread a(add), b(add), c(add), d(add);
  a.join();
  b.join();
  c.join();
  d.join();
  return x.load(std::memory_order_relaxed) == 4 * N ? 0 : 1;
}
