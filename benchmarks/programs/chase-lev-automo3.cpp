// EXPECT: verified 32
// BLOCKED: 0
// AutoMO's driver 3, on the repaired deque: two thieves and the owner want one each of three.
//
// 32 classes by brute force (README.md).
#include <thread>

#include "chase_lev.h"

int main() {
  ChaseLevDeque<FixedOrders> deque(4);
  for (int value : {1, 2, 3}) deque.push(value);
  std::thread first([&] { deque.steal(); }), second([&] { deque.steal(); });
  deque.take();
  first.join();
  second.join();
}
