// EXPECT: verified
// The second thread begins to wait when the flag is set: it never blocks, and the notification is for the first.
#include <atomic>
#include <thread>

std::atomic<int> flag;

int main() {
  std::thread a([] { flag.wait(0); });
  flag.store(1);
  std::thread b([] { flag.wait(0); });
  flag.notify_one();
  a.join();
  b.join();
}
