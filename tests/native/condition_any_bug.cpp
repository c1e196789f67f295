// EXPECT: bug assertion
// A wait for a stop token, or with a time limit, ends without what it waits for.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

std::mutex mutex;
std::condition_variable_any condition;
bool ready;

int main() {
  std::jthread a([](std::stop_token token) {
    std::unique_lock lock(mutex);
    condition.wait(lock, token, [] { return ready; });
    condition.wait_until(lock, std::chrono::steady_clock::now() + std::chrono::seconds(1));
    if (condition.wait_for(lock, std::chrono::seconds(1)) == std::cv_status::timeout) lock.unlock();
    else lock.unlock();
    assert(ready);  // BUG
  });
  a.request_stop();
  {
    std::lock_guard lock(mutex);
    condition.notify_all();
  }
}
