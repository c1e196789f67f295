// EXPECT: verified 38..148
// AutoMO's driver 1: what a thread did before it enqueued an index, the one that dequeues the index sees.
//
// 38 classes at best and 148 with turns that changed nothing, by brute force (README.md), as in ms-queue-spec2: the load of x has no choice.
#include "ms_queue.h"

std::atomic<int> x[2];

int main() {
  MsQueue<RepairedOrders, 4> queue;
  auto put = [&](unsigned thread) {
    x[thread].store(1, std::memory_order_relaxed);
    queue.enqueue(thread, thread);
  };
  std::thread first(put, 0), second(put, 1);
  std::thread third([&] {
    unsigned value;
    if (queue.dequeue(2, value)) assert(x[value].load(std::memory_order_relaxed) == 1);
  });
  std::thread fourth([] {});
  first.join();
  second.join();
  third.join();
  fourth.join();
}
