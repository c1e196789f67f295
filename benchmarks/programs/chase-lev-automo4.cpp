// EXPECT: verified 26
// BLOCKED: 0
// AutoMO's driver 4, on the repaired deque: as chase-lev.
//
// 26 classes by brute force (README.md).
#include <thread>

#include "chase_lev.h"

int main() {
  ChaseLevDeque<FixedOrders> deque;
  std::thread thief([&] { deque.steal(); });
  for (int value : {1, 2, 3}) deque.push(value);
  deque.take();
  deque.take();
  thief.join();
}
