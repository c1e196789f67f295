// EXPECT: bug data-race data
// Release and acquire name different objects: nothing orders the data.
#include <atomic>
#include <cassert>
#include <thread>

extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);

int data;
std::atomic<int> flag;

int main() {
  std::thread a([] {
    data = 42;  // BUG
    __tsan_release(&flag);
    flag.store(1, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_relaxed) == 1) {
    __tsan_acquire(&data);  // another object
    assert(data == 42);  // BUG
  }
  a.join();
}
