// EXPECT: verified 480
// BLOCKED: 0
// AutoMO's driver 6, on the repaired deque: two thieves and the owner want the only one; then there is another one.
//
// 480 classes by brute force (README.md).
#include <cassert>
#include <thread>

#include "chase_lev.h"

int main() {
  ChaseLevDeque<FixedOrders> deque;
  int a, b;
  deque.push(1);
  std::thread first([&] { a = deque.steal(); }), second([&] { b = deque.steal(); });
  const int c = deque.take();
  deque.push(2);
  const int d = deque.take();
  first.join();
  second.join();
  assert(all_differ({a, b, c, d}));
}
