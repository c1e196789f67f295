// EXPECT: bug deadlock
// The notification is of the wrong one of two condition variables, by its native handle.
#include <pthread.h>

#include <condition_variable>
#include <future>
#include <mutex>
#include <stop_token>
#include <thread>

std::mutex guard;
std::condition_variable changed, other;
bool is_set;

int main() {
  std::packaged_task<void()> task([] {}), empty;
  task.swap(empty);
  std::stop_source source, unrelated;
  source.swap(unrelated);
  std::thread a([&] {
    empty();
    guard.lock();
    is_set = true;
    guard.unlock();
    pthread_cond_signal(other.native_handle());
  });
  {
    std::unique_lock lock(guard);
    changed.wait(lock, [] { return is_set; });  // BUG
  }
  a.join();
}
