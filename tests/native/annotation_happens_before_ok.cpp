// EXPECT: verified 2
// The flag is relaxed, but the annotations order the data: whoever has seen the flag has the release before its acquire. Classes: the
// flag is seen or not; if not, there is no acquire.
#include <atomic>
#include <cassert>
#include <thread>

extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);

int data;
std::atomic<int> flag;

int main() {
  std::thread a([] {
    data = 42;
    __tsan_release(&flag);
    flag.store(1, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_relaxed) == 1) {
    __tsan_acquire(&flag);
    assert(data == 42);
  }
  a.join();
}
