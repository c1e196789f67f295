// EXPECT: bug data-race data
// A failed try_lock synchronises with nothing.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex guard;
int data;

int main() {
  std::thread a([] {
    data = 1;  // BUG
    guard.lock();
    guard.unlock();
  });
  std::thread b([] {
    if (!guard.try_lock()) {
      assert(data == 1);  // BUG
    } else {
      guard.unlock();
    }
  });
  a.join();
  b.join();
}
