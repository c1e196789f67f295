// EXPECT: verified 8
// BLOCKED: 0
// AutoMO's driver 2, on the repaired deque: a thief steals twice while the owner takes one of three.
//
// 8 classes by brute force (README.md).
#include <cassert>
#include <thread>

#include "chase_lev.h"

int main() {
  ChaseLevDeque<FixedOrders> deque(4);
  int a, b;
  for (int value : {1, 2, 3}) deque.push(value);
  std::thread thief([&] {
    a = deque.steal();
    b = deque.steal();
  });
  const int c = deque.take();
  thief.join();
  assert(all_differ({a, b, c}));
}
