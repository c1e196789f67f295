// About a thousand events of seven threads, and a race at the end: for the test of long pages.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>
std::atomic<int> slots[8];
std::atomic<int> ready{0};
int payload;
void produce(int me) {
  for (int i = 0; i < 120; ++i) {
    slots[(me + i) % 8].store(i, std::memory_order_release);
    if (i % 3 == 0) slots[(me * 3 + i) % 8].fetch_add(1, std::memory_order_relaxed);
  }
  payload = me;
  ready.store(1, std::memory_order_relaxed);
}
int main() {
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) threads.emplace_back(produce, t);
  while (ready.load(std::memory_order_acquire) == 0) {}
  for (auto& t : threads) t.join();
}
