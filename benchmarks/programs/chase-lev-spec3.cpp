// EXPECT: verified 142
// BLOCKED: 0
// CDSSpec's third test, on its version of the deque: two thieves.
//
// 142 classes by brute force (README.md).
#include <thread>

#include "chase_lev.h"

int main() {
  ChaseLevDeque<SpecOrders> deque;
  deque.push(1);
  std::thread first([&] { deque.steal(); }), second([&] { deque.steal(); });
  deque.push(2);
  deque.take();
  first.join();
  second.join();
  deque.take();
}
