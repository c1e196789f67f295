// EXPECT: bug data-race data
// A signal fence orders nothing between threads.
#include <atomic>
#include <cassert>
#include <thread>

int data;
std::atomic<bool> flag;

int main() {
  std::thread producer([] {
    data = 42;  // BUG
    std::atomic_thread_fence(std::memory_order_release);
    flag.store(true, std::memory_order_relaxed);
  });
  std::thread consumer([] {
    if (!flag.load(std::memory_order_relaxed)) return;
    std::atomic_signal_fence(std::memory_order_acquire);
    assert(data == 42);  // BUG
  });
  producer.join();
  consumer.join();
}
