// EXPECT: verified
// notify_all_at_thread_exit lets go of the mutex, and notifies, when the thread has ended.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable condition;
int data;

int main() {
  std::thread a([] {
    std::unique_lock<std::mutex> lock(mutex);
    data = 1;
    std::notify_all_at_thread_exit(condition, std::move(lock));
  });
  {
    std::unique_lock<std::mutex> lock(mutex);
    condition.wait(lock, [] { return data == 1; });
  }
  a.join();
  assert(data == 1);
}
