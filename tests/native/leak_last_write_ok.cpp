// EXPECT: verified 1
// OPTIONS: --leaks
// The second thread's store comes first in modification order, because it then reads that of the first (the other classes are of
// no interest): in the end the first one's block is there, and the second one's was freed.
#include <atomic>
#include <ordeal/ordeal.h>
#include <thread>

std::atomic<int*> shared;
int* first;

int main() {
  first = new int(1);
  std::thread a([] { shared.store(first, std::memory_order_relaxed); });
  std::thread b([] {
    int* mine = new int(2);
    shared.store(mine, std::memory_order_relaxed);
    ordeal_assume(shared.load(std::memory_order_relaxed) == first);
    delete mine;
  });
  a.join();
  b.join();
  first = nullptr;
}
