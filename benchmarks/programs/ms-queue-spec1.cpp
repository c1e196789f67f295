// EXPECT: verified 3..4
// CDSSpec's first test: one enqueues, the other one dequeues. (Its third test and its main driver are ms-queue.)
//
// 3 classes at best and 4 with turns that changed nothing, by brute force (README.md).
#include "ms_queue.h"

int main() {
  MsQueue<RepairedOrders> queue;
  std::thread first([&] { queue.enqueue(0, 1); });
  std::thread second([&] {
    unsigned value;
    if (queue.dequeue(1, value)) assert(value == 1);
  });
  first.join();
  second.join();
}
