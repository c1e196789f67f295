// EXPECT: verified
// Each who is woken wakes the next.
#include <atomic>
#include <thread>

std::atomic<int> flag;

void wait() {
  while (flag.load() == 0) flag.wait(0);
  flag.notify_one();
}

int main() {
  std::thread a(wait), b(wait);
  flag.store(1);
  flag.notify_one();
  a.join();
  b.join();
}
