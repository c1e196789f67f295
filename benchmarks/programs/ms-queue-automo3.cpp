// EXPECT: verified 42..226
// AutoMO's driver 3: a node is dequeued and enqueued again while the other thread enqueues.
//
// 42 classes at best and 226 with turns that changed nothing, by brute force (README.md).
#include "ms_queue.h"

int main() {
  MsQueue<RepairedOrders> queue;
  std::thread first([&] { queue.enqueue(0, 0); });
  std::thread second([&] {
    unsigned value;
    queue.enqueue(1, 1);
    assert(queue.dequeue(1, value));
    queue.enqueue(1, 1);
  });
  first.join();
  second.join();
}
