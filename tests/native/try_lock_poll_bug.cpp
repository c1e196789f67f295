// EXPECT: bug no-progress
// The holder waits for the one who polls.
#include <atomic>
#include <mutex>
#include <thread>

std::mutex guard;

int main() {
  guard.lock();
  std::thread poller([] {
    while (!guard.try_lock()) std::this_thread::yield();  // BUG
    guard.unlock();
  });
  poller.join();  // BUG
  guard.unlock();
}
