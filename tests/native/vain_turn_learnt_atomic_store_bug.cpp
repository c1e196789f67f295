// EXPECT: bug data-race 'messages
// A ticket lock whose turns read plainly. What is read in vain has been learnt when thread 3 is the first and stores that atomically.
#include <atomic>
#include <thread>

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire, release = std::memory_order_release;

std::atomic<int> ticket, serving;
volatile int messages[4];

void work(int id) {
  const int mine = ticket.fetch_add(1, relaxed);
  while (serving.load(acquire) != mine) (void)messages[id];  // BUG
  if (id == 3 && mine == 0) std::atomic_ref<int>(const_cast<int&>(messages[1])).store(1, relaxed);  // BUG
  serving.store(mine + 1, release);
}

int main() {
  std::thread one(work, 1), two(work, 2), three(work, 3);
  one.join();
  two.join();
  three.join();
}
