// EXPECT: verified 7
// BLOCKED: 0
// AutoMO's driver 5, on the repaired deque: a thief and the owner want the only one.
//
// 7 classes by brute force (README.md).
#include <cassert>
#include <thread>

#include "chase_lev.h"

int main() {
  ChaseLevDeque<FixedOrders> deque;
  int a;
  deque.push(1);
  std::thread thief([&] { a = deque.steal(); });
  const int b = deque.take();
  thief.join();
  assert(all_differ({a, b}));
}
