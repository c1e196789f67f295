// OPTIONS: --keep-going
// EXPECT: bug data-race 'racy'
// EXPECT: bug no-progress in a loop for a change of 'serving'
// A ticket lock of four threads. There is a race if the first two are 3 and 4; if they are 1 and 4, the latter keeps the lock. Both come up only
// when what is read in vain has been learnt. To tell the second, the search begins anew and learns nothing any more, although it has found the first.
#include <atomic>
#include <thread>

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire, release = std::memory_order_release;

std::atomic<int> ticket, serving;
int order, racy;

void work(int id) {
  const int mine = ticket.fetch_add(1, relaxed);
  while (serving.load(acquire) != mine) {
  }
  order = order * 10 + id;
  if (order == 34) racy = 1;
  if (order == 14) return;
  serving.store(mine + 1, release);
}

int main() {
  std::thread one(work, 1), two(work, 2), three(work, 3), four(work, 4);
  racy = 2;
  one.join();
  two.join();
  three.join();
  four.join();
}
