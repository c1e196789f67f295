// EXPECT: bounded --fair
// OPTIONS: --fair
// A loop with effects has no end by itself: it counts its turns.
#include <atomic>
#include <thread>
std::atomic<int> x;
std::atomic<bool> done;
int main() {
  std::thread a([] {
    int tries = 0;
    while (!done.load(std::memory_order_relaxed)) {
      ++tries;
      x.store(tries, std::memory_order_relaxed);
      std::this_thread::yield();
    }
  });
  done.store(true, std::memory_order_relaxed);
  a.join();
}
