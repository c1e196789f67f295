// EXPECT: bug assertion value
// The second bug that AutoMO found in CDSChecker's queue, with CDSSpec's second test: dequeue loads the tail relaxed. It sees
// that the tail is beyond the head, but not what follows the head, and takes the value of node 0, which is no node.
#include "ms_queue.h"

struct Orders : RepairedOrders {
  static constexpr auto kLoadTail = std::memory_order_relaxed;
};

int main() {
  MsQueue<Orders, 4> queue;
  std::thread first([&] { queue.enqueue(0, 1); });
  std::thread second([&] { queue.enqueue(1, 2); });
  std::thread third([&] {
    unsigned value;
    if (queue.dequeue(2, value)) assert(value == 1 || value == 2);  // BUG
  });
  std::thread fourth([] {});
  first.join();
  second.join();
  third.join();
  fourth.join();
}
