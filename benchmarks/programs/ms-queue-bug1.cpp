// EXPECT: bug assertion dequeue
// The first bug that AutoMO found in CDSChecker's queue, with CDSSpec's fourth test: a node that is used again says by a
// relaxed store that nothing follows it. The other thread, which still takes the node for the last one, sees that, sees
// nothing else of what happened, and hangs its value on a node that is not in the queue.
#include "ms_queue.h"

struct Orders : RepairedOrders {
  static constexpr auto kEndNode = std::memory_order_relaxed;
};

int main() {
  MsQueue<Orders> queue;
  auto put_and_get = [&](unsigned thread, unsigned value) {
    queue.enqueue(thread, value);
    assert(queue.dequeue(thread, value));  // BUG
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
