// EXPECT: verified
// Two threads wait. Each that is woken wakes the next: the last notification reaches nobody.
#include <atomic>
#include <thread>

std::atomic<int> flag;

void wait() {
  flag.wait(0);
  flag.notify_one();
}

int main() {
  std::thread a(wait), b(wait);
  flag.store(1);
  flag.notify_one();
  a.join();
  b.join();
}
