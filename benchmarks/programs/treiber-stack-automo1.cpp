// EXPECT: verified 7
// BLOCKED: 0
// Treiber's stack with nodes on the heap (AutoMO's driver): one thread only stores a datum, another stores one and pushes its index,
// and two pop and load the datum.
// 7 classes: no pop takes the node (both see the start); or one of two does, and the other sees the start, the emptied stack, or
// the node, and then fails and finds the stack empty: 1 + 2 · 3.
#include <atomic>
#include <thread>

#include "treiber_stack.h"

LinkedStack stack;
std::atomic<int> x[3];

void pop() {
  if (const int index = stack.pop()) (void)x[index].load(std::memory_order_relaxed);
}

int main() {
  std::thread a([] { x[1].store(17, std::memory_order_relaxed); });
  std::thread b([] {
    x[2].store(37, std::memory_order_relaxed);
    stack.push(2);
  });
  std::thread c(pop), d(pop);
  a.join();
  b.join();
  c.join();
  d.join();
}
