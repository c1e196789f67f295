// EXPECT: bug data-race waiting
// The plain store of main comes behind the first store of the loop (acquire), and it comes once the loop has been left (relaxed). A second
// turn of the loop is in a race with it.
#include <atomic>
#include <thread>

std::atomic<int> go, done;
alignas(int) int waiting;

int main() {
  std::thread waiter([] {
    while (go.load(std::memory_order_relaxed) != 1) std::atomic_ref(waiting).store(1, std::memory_order_release);  // BUG
    done.store(1, std::memory_order_relaxed);
  });
  while (std::atomic_ref(waiting).load(std::memory_order_acquire) != 1) {
  }
  go.store(1, std::memory_order_relaxed);
  while (done.load(std::memory_order_relaxed) != 1) {
  }
  waiting = 2;  // BUG
  waiter.join();
}
