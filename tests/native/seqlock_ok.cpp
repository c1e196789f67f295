// EXPECT: verified
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<unsigned> version;
std::atomic<int> one, two;

int main() {
  std::thread writer([] {
    version.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    one.store(1, std::memory_order_relaxed);
    two.store(1, std::memory_order_relaxed);
    version.store(2, std::memory_order_release);
  });
  for (;;) {
    const unsigned before = version.load(std::memory_order_acquire);
    const int r = one.load(std::memory_order_relaxed), s = two.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (before % 2 != 0 || version.load(std::memory_order_relaxed) != before) continue;
    assert(r == s);
    break;
  }
  writer.join();
}
