// EXPECT: verified 38..148
// CDSSpec's second test: two threads enqueue, a third one dequeues, a fourth one does nothing.
//
// 38 classes at best and 148 with turns that changed nothing, by brute force (README.md).
#include "ms_queue.h"

int main() {
  MsQueue<RepairedOrders, 4> queue;
  std::thread first([&] { queue.enqueue(0, 1); });
  std::thread second([&] { queue.enqueue(1, 2); });
  std::thread third([&] {
    unsigned value;
    if (queue.dequeue(2, value)) assert(value == 1 || value == 2);
  });
  std::thread fourth([] {});
  first.join();
  second.join();
  third.join();
  fourth.join();
}
