// EXPECT: verified 12
// OPTIONS: --model rc11 --no-spurious
// LEVELS: O0 O2
// Three threads put a value each into Vyukov's bounded queue, which has two cells.
//
// 12 classes, by the reference of the rules. By hand: the first two to succeed are 6 pairs in order; each of them reads its position once,
// from where its compare-exchange reads it. The third finds position 2 and the first cell, which the first thread has filled, or not yet:
// 2, and gives up. Looks at an older position end in a failed compare-exchange or a later look: redundant. With them there are 258.
#include <atomic>
#include <thread>

std::atomic<int> position, sequence[2] = {0, 1};
int data[2];

void enqueue(int value) {
  int mine = position.load(std::memory_order_relaxed);
  for (;;) {
    const int found = sequence[mine % 2].load(std::memory_order_acquire);
    if (found == mine) {
      if (position.compare_exchange_strong(mine, mine + 1, std::memory_order_relaxed, std::memory_order_relaxed)) break;
    } else if (found < mine) {
      return;
    } else {
      mine = position.load(std::memory_order_relaxed);
    }
  }
  data[mine % 2] = value;
  sequence[mine % 2].store(mine + 1, std::memory_order_release);
}

int main() {
  std::thread a(enqueue, 1), b(enqueue, 2), c(enqueue, 3);
  a.join();
  b.join();
  c.join();
}
