// EXPECT: bug data-race data
// A failed try_lock synchronises with nothing.
#include <mutex>
#include <thread>

std::mutex guard;
int data;

int main() {
  std::thread a([] {
    data = 1;  // BUG
    guard.lock();
  });
  std::thread b([] {
    if (!guard.try_lock()) {
      if (data != 1) return;  // BUG
    } else {
      guard.unlock();
    }
  });
  a.join();
  b.join();
}
