// EXPECT: bug deadlock flag
// SHOWS: notify_one may wake another thread
// As atomic_notify_one_bug, but they wait in loops, whose turns change nothing: the one who is woken has still waited.
#include <atomic>
#include <thread>

std::atomic<int> flag;

void wait() {
  while (flag.load() == 0) flag.wait(0);  // BUG
}

int main() {
  std::thread a(wait), b(wait);
  flag.store(1);
  flag.notify_one();
  a.join();  // BUG
  b.join();  // BUG
}
