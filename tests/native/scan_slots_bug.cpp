// EXPECT: bug assertion
// Looking through an array is no waiting loop, though each look is at the same place in the code and the index is dead when
// something was found: what is found in the second slot must not be taken for another way to find it in the first.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> slots[3], found;
volatile int size = 3;

__attribute__((noinline)) int search() {
  int value = 0;
  for (int i = 0, n = size; i < n && value == 0; ++i) value = slots[i].load(std::memory_order_acquire);
  return value;
}

int main() {
  std::thread producer([] { slots[1].store(7, std::memory_order_release); });
  std::thread consumer([] { found.store(search(), std::memory_order_release); });
  producer.join();
  consumer.join();
  assert(found.load() != 7);  // BUG
}
