// EXPECT: bug deadlock
// It is notified, but what main waits for has not happened.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable condition;
int data;

int main() {
  std::thread a([] {
    std::unique_lock<std::mutex> lock(mutex);
    std::notify_all_at_thread_exit(condition, std::move(lock));
  });
  std::unique_lock<std::mutex> lock(mutex);
  condition.wait(lock, [] { return data == 1; });  // BUG
  a.join();
}
