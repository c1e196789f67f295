// EXPECT: verified 26
// BLOCKED: 0
// CDSSpec's main driver, on its version of the deque: as chase-lev.
//
// 26 classes by brute force (README.md).
#include <thread>

#include "chase_lev.h"

int main() {
  ChaseLevDeque<SpecOrders> deque;
  std::thread thief([&] { deque.steal(); });
  deque.push(1);
  deque.push(2);
  deque.push(3);
  deque.take();
  deque.take();
  thief.join();
}
