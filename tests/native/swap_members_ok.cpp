// EXPECT: verified 2
// What has been swapped is used from its new place: a notification by the native handle of a condition variable (which comes before the wait, or ends it), a future, a
// stop token.
// OPTIONS: --no-spurious
#include <pthread.h>

#include <cassert>
#include <condition_variable>
#include <future>
#include <mutex>
#include <stop_token>
#include <thread>

std::mutex guard;
std::condition_variable changed;
bool is_set;

int main() {
  std::packaged_task<int()> task([] { return 1; }), other;
  task.swap(other);
  std::promise<int> promise, spare;
  promise.swap(spare);
  std::stop_source source, unrelated;
  std::stop_token token = source.get_token(), unrelated_token = unrelated.get_token();
  token.swap(unrelated_token);
  source.swap(unrelated);
  std::future<int> result = other.get_future();
  std::thread a([&] {
    other();
    guard.lock();
    is_set = true;
    guard.unlock();
    pthread_cond_signal(changed.native_handle());
  });
  {
    std::unique_lock lock(guard);
    changed.wait(lock, [] { return is_set; });
  }
  assert(result.get() == 1);
  a.join();
  unrelated.request_stop();
  assert(unrelated_token.stop_requested() && !token.stop_requested());
}
