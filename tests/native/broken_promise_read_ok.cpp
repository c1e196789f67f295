// EXPECT: verified
// The state of a broken promise is let go by both threads; what one reads of the exception happens before the other ends it.
#include <cassert>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::future<int> result = promise.get_future();
  std::thread worker([promise = std::move(promise)]() mutable { const std::promise<int> broken = std::move(promise); });
  bool is_broken = false;
  try {
    result.get();
  } catch (const std::future_error& error) {
    is_broken = error.code() == std::future_errc::broken_promise;
  }
  worker.join();
  assert(is_broken);
}
