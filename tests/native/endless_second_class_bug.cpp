// EXPECT: bug no-progress thread 2
// OPTIONS: --watchdog 1
// Only in the execution in which the load sees the store.
#include <atomic>
#include <thread>

std::atomic<int> x;

int main() {
  std::thread a([] { x = 1; });
  std::thread b([] {
    int* volatile p = nullptr;
    if (x == 0) return;
    while (p == nullptr) {  // BUG
    }  // BUG
  });
  a.join();
  b.join();
}
