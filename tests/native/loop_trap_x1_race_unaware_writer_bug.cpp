// EXPECT: bug data-race data
// LEVELS: O0 O2
// Trap X1 of waiting loops: a race with a turn in vain, and the writer comes only after the loop has ended.
//
// A turn in vain reads data. The loop ends, `done` is stored, b sees it (relaxed: no synchronisation) and writes data: a race. A search
// that stops the thread after the turn in vain has no store to `done` in that execution; one without the turn has no read of data.
#include <atomic>
#include <thread>

std::atomic<int> x, done;
int data, copy;

int main() {
  std::thread a([] {
    while (x.load(std::memory_order_relaxed) == 0) copy = data;  // BUG
    done.store(1, std::memory_order_relaxed);
  });
  std::thread b([] {
    x.store(1, std::memory_order_relaxed);
    while (done.load(std::memory_order_relaxed) == 0) {
    }
    data = 1;  // BUG
  });
  a.join();
  b.join();
}
