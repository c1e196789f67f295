// EXPECT: bug data-race polling
// LEVELS: O0 O2
// Trap of waiting loops: another thread reads the flag plainly, and only after the loop has ended. That is a race with a turn in vain, which is in no execution in which
// that thread comes to the flag, if such turns are left out.
#include <atomic>
#include <thread>

std::atomic<int> ready, ended;
alignas(std::atomic<int>) int polling;
int seen;

int main() {
  std::thread a([] {
    while (ready.load(std::memory_order_relaxed) == 0) {
      std::atomic_ref<int>(polling).store(1, std::memory_order_relaxed);  // BUG
      std::atomic_ref<int>(polling).store(0, std::memory_order_relaxed);  // BUG
    }
    ended.store(1, std::memory_order_relaxed);
  });
  std::thread b([] {
    ready.store(1, std::memory_order_relaxed);
    if (ended.load(std::memory_order_relaxed) == 1) seen = polling;  // BUG
  });
  a.join();
  b.join();
}
