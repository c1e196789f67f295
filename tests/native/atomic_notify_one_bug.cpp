// EXPECT: bug deadlock flag
// SHOWS: notify_one may wake another thread
// Two threads wait, one is woken: both have blocked before the store.
#include <atomic>
#include <thread>

std::atomic<int> flag;

int main() {
  std::thread a([] { flag.wait(0); });  // BUG
  std::thread b([] { flag.wait(0); });  // BUG
  flag.store(1);
  flag.notify_one();
  a.join();  // BUG
  b.join();  // BUG
}
