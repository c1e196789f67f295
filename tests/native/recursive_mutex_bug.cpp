// EXPECT: bug deadlock guard
// a unlocks once less than it locked: b waits for ever if it comes second.
#include <mutex>
#include <thread>

std::recursive_mutex guard;

int main() {
  std::thread a([] {
    guard.lock();
    guard.lock();
    guard.unlock();
  });
  std::thread b([] {
    guard.lock();  // BUG
    guard.unlock();
  });
  a.join();
  b.join();  // BUG
}
