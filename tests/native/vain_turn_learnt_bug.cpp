// EXPECT: bug data-race 'message'
// A ticket lock. What is read in vain has been learnt when the race with its turns comes up: they are all over, but unordered.
#include <atomic>
#include <thread>

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire, release = std::memory_order_release;

std::atomic<int> ticket, serving;
std::atomic<int> gone;
volatile int message;

void work() {
  const int mine = ticket.fetch_add(1, relaxed);
  while (serving.load(acquire) != mine) (void)message;  // BUG
  serving.store(mine + 1, release);
  gone.fetch_add(1, relaxed);
}

int main() {
  std::thread one(work), two(work), three(work);
  while (gone.load(relaxed) != 3) {
  }
  message = 1;  // BUG
  one.join();
  two.join();
  three.join();
}
