// EXPECT: verified 2
// The flag is seen or not; the data is plain and read only when it is seen.
#include <atomic>
#include <cassert>
#include <thread>

int data;
std::atomic<bool> flag;

int main() {
  std::thread producer([] {
    data = 42;
    flag.store(true, std::memory_order_release);
  });
  std::thread consumer([] {
    if (flag.load(std::memory_order_acquire)) assert(data == 42);
  });
  producer.join();
  consumer.join();
}
