// EXPECT: verified 268
// BLOCKED: 0
// CDSSpec's first test, on its version of the deque: as chase-lev, but the thief steals twice.
//
// 268 classes by brute force (README.md).
#include <thread>

#include "chase_lev.h"

int main() {
  ChaseLevDeque<SpecOrders> deque;
  std::thread thief([&] {
    deque.steal();
    deque.steal();
  });
  deque.push(1);
  deque.push(2);
  deque.push(4);
  deque.take();
  deque.take();
  thief.join();
}
