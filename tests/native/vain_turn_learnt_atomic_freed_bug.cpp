// EXPECT: bug data-race use after free
// A ticket lock whose turns load another atomic object. What is read in vain has been learnt when thread 3 is the first and frees that.
#include <atomic>
#include <cstdlib>
#include <thread>

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire, release = std::memory_order_release;

std::atomic<int> ticket, serving;
auto* other = new std::atomic<int>(0);

void work(int id) {
  const int mine = ticket.fetch_add(1, relaxed);
  while (serving.load(acquire) != mine)
    if (id == 1 && other->load(relaxed) != 0) std::abort();
  if (id == 3 && mine == 0) delete other;
  serving.store(mine + 1, release);
}

int main() {
  std::thread one(work, 1), two(work, 2), three(work, 3);
  one.join();
  two.join();
  three.join();
}
