// EXPECT: verified
// The flag is set before the wait looks, or it blocks and is notified.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> flag;
int data;

int main() {
  std::thread a([] {
    flag.wait(0);
    assert(data == 1);
  });
  data = 1;
  flag.store(1);
  flag.notify_one();
  a.join();
}
