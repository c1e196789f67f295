// EXPECT: bug no-progress x
// memory-model.md, section 6: x=1 may come before x=2.
#include <atomic>
#include <thread>

std::atomic<int> x;

int main() {
  std::thread a([] { x = 1; });
  std::thread b([] { x = 2; });
  while (x != 1) {
  }
  a.join();
  b.join();
}
