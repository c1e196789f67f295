// EXPECT: verified 4
// A turn of the loop asks for a choice: that a value was read in vain once does not mean that it always is. Each thread reads 1; or it reads
// 0 and gives up (one that reads 0 and does not give up comes round, which is left out): 2 * 2.
#include <ordeal/ordeal.h>

#include <atomic>
#include <thread>

std::atomic<int> flag{0};

void wait() {
  while (flag.load() == 0)
    if (ordeal_choose(2) == 1) return;
}

int main() {
  std::thread a(wait), b(wait), c([] { flag.store(1); });
  a.join();
  b.join();
  c.join();
}
