// EXPECT: verified 268
// BLOCKED: 0
// CDSSpec's first test, on its version of the deque: as chase-lev, but the thief steals twice.
//
// 268 classes by brute force (README.md).
#include <cassert>
#include <thread>

#include "chase_lev.h"

int main() {
  ChaseLevDeque<SpecOrders> deque;
  int a, b;
  std::thread thief([&] {
    a = deque.steal();
    b = deque.steal();
  });
  for (int value : {1, 2, 4}) deque.push(value);
  const int c = deque.take();
  const int d = deque.take();
  thief.join();
  assert(all_differ({a, b, c, d}));
}
