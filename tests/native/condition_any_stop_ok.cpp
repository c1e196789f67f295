// EXPECT: verified
// The wait ends when it is ready, or when the thread is asked to stop, which nobody forgets.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

std::mutex mutex;
std::condition_variable_any condition;
bool ready;

int main() {
  bool result = true;
  {
    std::jthread a([&result](std::stop_token token) {
      std::unique_lock lock(mutex);
      result = condition.wait(lock, token, [] { return ready; });
    });
  }
  assert(!result);
}
