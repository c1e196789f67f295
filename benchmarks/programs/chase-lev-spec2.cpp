// EXPECT: verified 30
// BLOCKED: 0
// CDSSpec's second test, on its version of the deque: one thief steals twice from an array that never grows.
//
// 30 classes by brute force (README.md).
#include <thread>

#include "chase_lev.h"

int main() {
  ChaseLevDeque<SpecOrders> deque(16, false);
  deque.push(1);
  std::thread thief([&] {
    deque.steal();
    deque.steal();
  });
  deque.push(2);
  deque.take();
  thief.join();
  deque.take();
}
