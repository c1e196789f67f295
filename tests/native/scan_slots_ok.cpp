// EXPECT: verified 2
// As scan_slots_bug, for the number of classes: the load of the second slot reads the first value or the store.
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
  return found.load() == 0 || found.load() == 7 ? 0 : 1;
}
