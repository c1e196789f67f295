// EXPECT: bug data-race data
// The race is found by whoever comes second, which may be another thread when the execution is run again.
#include <atomic>
#include <thread>

std::atomic<int> ready{0};
int data;

int main() {
  std::thread a([] {
    while (ready.load(std::memory_order_acquire) != 9) {
    }
    data = 2;  // BUG
    ready.store(2);
  });
  std::thread b([] {
    data = 3;  // BUG
    ready.load();
  });
  ready.store(9, std::memory_order_release);
  a.join();
  b.join();
}
