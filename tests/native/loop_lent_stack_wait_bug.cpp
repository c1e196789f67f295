// EXPECT: bug data-race data
// LEVELS: O0 O2
//
// A thread waits, and looks at its own stack in each turn; the thread that it has created writes there. In the first round the race was lost with an execution that was given up, since nobody else had accessed that stack (src/runtime/loops/own_stacks.h);
// in the second one, with what had been learnt of the waiting loop in the first. The random programs of tests/native/loops (--shape joins) found it.
#include <atomic>
#include <thread>

std::atomic<int> x{0}, y{0};
int main() {
  y.store(1, std::memory_order_relaxed);
  std::thread owner([] {
    int data = 0;
    std::thread writes([&data] { data = 1; });  // BUG
    while (x.load(std::memory_order_relaxed) == 0) {
      int seen = data; // BUG
      asm volatile("" ::"r"(seen));
    }
    writes.join();
  });
  x.store(1, std::memory_order_relaxed);
  owner.join();
}
