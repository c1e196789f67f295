// EXPECT: verified 4
// BLOCKED: 0
// b's section comes before a's first (its load reads 0), between a's two (0 or 1: the store is unordered with it), or behind
// the second (1): 1 + 2 + 1 = 4.
#include <atomic>
#include <mutex>
#include <thread>

std::mutex guard;
std::atomic<int> step;

int main() {
  std::thread a([] {
    std::unique_lock<std::mutex> lock(guard);
    lock.unlock();
    step.store(1, std::memory_order_relaxed);
    lock.lock();
  });
  std::thread b([] {
    std::unique_lock<std::mutex> lock(guard, std::defer_lock);
    lock.lock();
    (void)step.load(std::memory_order_relaxed);
  });
  a.join();
  b.join();
}
