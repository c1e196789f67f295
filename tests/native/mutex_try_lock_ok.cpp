// EXPECT: verified 4
// OPTIONS: --no-spurious
// BLOCKED: 0
// b's try_lock comes before a's section (then its load reads 0), during it (it fails; the load reads 0 or 1), or behind it
// (the load reads 1): 1 + 2 + 1 = 4.
#include <atomic>
#include <mutex>
#include <thread>

std::mutex guard;
std::atomic<int> done;

int main() {
  std::thread a([] {
    std::lock_guard<std::mutex> lock(guard);
    done.store(1, std::memory_order_relaxed);
  });
  std::thread b([] {
    const bool locked = guard.try_lock();
    (void)done.load(std::memory_order_relaxed);
    if (locked) guard.unlock();
  });
  a.join();
  b.join();
}
