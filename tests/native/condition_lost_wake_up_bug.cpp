// EXPECT: bug deadlock changed
// OPTIONS: --no-spurious
// The flag is set without the mutex: the notification can fall between the look at it and the wait.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex guard;
std::condition_variable changed;
std::atomic<bool> ready;

int main() {
  std::thread consumer([] {
    std::unique_lock<std::mutex> lock(guard);
    while (!ready) changed.wait(lock);  // BUG
  });
  ready = true;
  changed.notify_one();
  consumer.join();  // BUG
}
