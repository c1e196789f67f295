// EXPECT: verified 2
// BLOCKED: 0
// AutoMO's driver 1, on the repaired deque: the owner pushes an index and a thief uses it.
//
// 2 classes: the thief sees nothing or all (README.md).
#include <thread>

#include "chase_lev.h"

std::atomic<int> x[2];

int main() {
  x[0].store(0, std::memory_order_relaxed);
  x[1].store(0, std::memory_order_relaxed);
  ChaseLevDeque<FixedOrders> deque(4);
  std::thread thief([&] {
    const int value = deque.steal();
    if (value >= 0) x[value].load(std::memory_order_relaxed);
  });
  deque.push(1);
  thief.join();
}
