// EXPECT: verified 30
// BLOCKED: 0
// CDSSpec's second test, on its version of the deque: one thief steals twice from an array that never grows.
//
// 30 classes by brute force (README.md).
#include <cassert>
#include <thread>

#include "chase_lev.h"

int main() {
  ChaseLevDeque<SpecOrders> deque(16, false);
  int a, b;
  deque.push(1);
  std::thread thief([&] {
    a = deque.steal();
    b = deque.steal();
  });
  deque.push(2);
  const int c = deque.take();
  thief.join();
  const int d = deque.take();
  assert(all_differ({a, b, c, d}));
}
