// EXPECT: verified 480
// BLOCKED: 0
// AutoMO's driver 6, on the repaired deque: two thieves and the owner want the only one; then there is another one.
//
// 480 classes by brute force (README.md).
#include <thread>

#include "chase_lev.h"

int main() {
  ChaseLevDeque<FixedOrders> deque;
  deque.push(1);
  std::thread first([&] { deque.steal(); }), second([&] { deque.steal(); });
  deque.take();
  deque.push(2);
  deque.take();
  first.join();
  second.join();
}
