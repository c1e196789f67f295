// EXPECT: verified 26
// BLOCKED: 0
// CDSSpec's main driver, on its version of the deque: as chase-lev.
//
// 26 classes by brute force (README.md).
#include <cassert>
#include <thread>

#include "chase_lev.h"

int main() {
  ChaseLevDeque<SpecOrders> deque;
  int a;
  std::thread thief([&] { a = deque.steal(); });
  for (int value : {1, 2, 3}) deque.push(value);
  const int b = deque.take();
  const int c = deque.take();
  thief.join();
  assert(all_differ({a, b, c}));
}
