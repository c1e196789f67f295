// EXPECT: verified 4
// A wait may time out. By hand: main comes first, and nobody waits (1); the thread is notified (1); its wait ends by itself before it is notified,
// and it locks again before or after main does (2). If it ended by itself after the notification, that is no other execution.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool is_ready;

int main() {
  std::thread waiter([] {
    std::unique_lock lock(mutex);
    if (!is_ready) changed.wait_for(lock, std::chrono::milliseconds(1));
  });
  {
    const std::lock_guard guard(mutex);
    is_ready = true;
  }
  changed.notify_one();
  waiter.join();
}
