// EXPECT: verified 74..881
// CDSSpec's fourth test: a node is dequeued and enqueued again while the other thread enqueues and dequeues.
//
// 74 classes at best and 881 with turns that changed nothing, by brute force (README.md).
#include "ms_queue.h"

int main() {
  MsQueue<RepairedOrders> queue;
  auto put_and_get = [&](unsigned thread, unsigned value) {
    queue.enqueue(thread, value);
    assert(queue.dequeue(thread, value));
    assert(value == 1 || value == 2);
  };
  std::thread first([&] {
    put_and_get(0, 1);
    queue.enqueue(0, 2);
  });
  std::thread second([&] { put_and_get(1, 2); });
  first.join();
  second.join();
}
