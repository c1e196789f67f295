// EXPECT: bug data-race data
#include <atomic>
#include <cassert>
#include <thread>

int data;
std::atomic<bool> flag;

int main() {
  std::thread producer([] {
    data = 42;  // BUG
    flag.store(true, std::memory_order_relaxed);
  });
  std::thread consumer([] {
    if (flag.load(std::memory_order_acquire))
      assert(data == 42);  // BUG
  });
  producer.join();
  consumer.join();
}
