// EXPECT: verified 32
// BLOCKED: 0
// AutoMO's driver 3, on the repaired deque: two thieves and the owner want one each of three.
//
// 32 classes by brute force (README.md).
#include <cassert>
#include <thread>

#include "chase_lev.h"

int main() {
  ChaseLevDeque<FixedOrders> deque(4);
  int a, b;
  for (int value : {1, 2, 3}) deque.push(value);
  std::thread first([&] { a = deque.steal(); }), second([&] { b = deque.steal(); });
  const int c = deque.take();
  first.join();
  second.join();
  assert(all_differ({a, b, c}));
}
