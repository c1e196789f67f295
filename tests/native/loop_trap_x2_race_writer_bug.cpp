// EXPECT: bug data-race data
// LEVELS: O0 O2
// Trap X2 of waiting loops: a race with a turn in vain, in an execution that does not end.
//
// A turn in vain reads data, which b writes without synchronisation. If the thread is stopped after that turn, the execution is blocked;
// a search that looks for races in complete executions only finds none: the turn that ends the loop does not read data.
#include <atomic>
#include <thread>

std::atomic<int> x;
int data, copy;

int main() {
  std::thread a([] {
    while (x.load(std::memory_order_relaxed) == 0) copy = data;  // BUG
  });
  std::thread b([] {
    data = 1;  // BUG
    x.store(1, std::memory_order_relaxed);
  });
  a.join();
  b.join();
}
