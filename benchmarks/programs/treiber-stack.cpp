// EXPECT: verified 18..22
// Treiber's stack with counted indices: two threads store a datum and push its index, another does nothing, the last pops and loads
// the datum.
// 22 classes: 11 for each order of the pushes, say A before B. A turn of push that fails has stored to `next` and is kept.
// - The pop finds nothing: B sees A at once, or fails first: 2. The pop takes B: the same 2.
// - The pop takes A before B comes: B sees the emptied stack at once, or after one failure (seeing the start and then A or the pop, or
//   seeing A and then the pop), or after two: 5.
// - The pop sees A, fails because of B and takes B: 2. This turn only waits, but registers differ after it, so it is kept.
// A turn that is recognised as one that only waits stops its thread, and the execution is blocked: so the number of those is open.
// CDSChecker: 35 feasible of 320.
#include <atomic>
#include <thread>

#include "treiber_stack.h"

CountedStack stack;
std::atomic<int> x[3];

int main() {
  std::thread a([] {
    x[1].store(17, std::memory_order_relaxed);
    stack.push(0, 1);
  });
  std::thread b([] {
    x[2].store(37, std::memory_order_relaxed);
    stack.push(1, 2);
  });
  std::thread idle([] {});
  std::thread c([] {
    if (const int index = stack.pop(3)) (void)x[index].load(std::memory_order_relaxed);
  });
  a.join();
  b.join();
  idle.join();
  c.join();
}
