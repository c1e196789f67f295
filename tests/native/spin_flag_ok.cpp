// EXPECT: verified
// 1 class at best; a first turn whose registers differ from the next may add some.
// The load that ends the loop reads 1; what it read before does not matter (memory-model.md, section 6).
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> flag;
int data;

int main() {
  std::thread a([] {
    data = 1;
    flag.store(1, std::memory_order_release);
  });
  while (flag.load(std::memory_order_acquire) == 0) {
  }
  assert(data == 1);
  a.join();
}
