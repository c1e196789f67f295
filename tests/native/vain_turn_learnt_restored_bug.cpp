// EXPECT: bug data-race 'messages
// A ticket lock whose turns write and put back. What is read in vain has been learnt when thread 3 is the first and reads that.
#include <atomic>
#include <thread>

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire, release = std::memory_order_release;

std::atomic<int> ticket, serving;
volatile int messages[4];

void work(int id) {
  const int mine = ticket.fetch_add(1, relaxed);
  while (serving.load(acquire) != mine) {
    messages[id] = 1;  // BUG
    messages[id] = 0;  // BUG
  }
  if (id == 3 && mine == 0) (void)messages[1];  // BUG
  serving.store(mine + 1, release);
}

int main() {
  std::thread one(work, 1), two(work, 2), three(work, 3);
  one.join();
  two.join();
  three.join();
}
