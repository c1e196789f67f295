// EXPECT: verified 11..67
// AutoMO's driver 2: as its first, with one value and two threads that want it.
//
// 11 classes at best and 67 with turns that changed nothing, by brute force (README.md).
#include "ms_queue.h"

std::atomic<int> x[2];

int main() {
  MsQueue<RepairedOrders, 4> queue;
  auto get = [&](unsigned thread) {
    unsigned value;
    if (queue.dequeue(thread, value)) assert(x[value].load(std::memory_order_relaxed) == 1);
  };
  std::thread first([] {});
  std::thread second([&] {
    x[1].store(1, std::memory_order_relaxed);
    queue.enqueue(1, 1);
  });
  std::thread third(get, 2), fourth(get, 3);
  first.join();
  second.join();
  third.join();
  fourth.join();
}
