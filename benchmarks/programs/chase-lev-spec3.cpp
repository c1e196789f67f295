// EXPECT: verified 142
// BLOCKED: 0
// CDSSpec's third test, on its version of the deque: two thieves.
//
// 142 classes by brute force (README.md).
#include <cassert>
#include <thread>

#include "chase_lev.h"

int main() {
  ChaseLevDeque<SpecOrders> deque;
  int a, b;
  deque.push(1);
  std::thread first([&] { a = deque.steal(); }), second([&] { b = deque.steal(); });
  deque.push(2);
  const int c = deque.take();
  first.join();
  second.join();
  const int d = deque.take();
  assert(all_differ({a, b, c, d}));
}
