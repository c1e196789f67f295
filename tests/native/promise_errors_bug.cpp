// EXPECT: bug exception
// The second value is refused, and the thread does not expect it.
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::thread a([&] {
    try {
      promise.set_value(1);
    } catch (const std::future_error& error) {
      if (error.code() != std::future_errc::promise_already_satisfied) throw;
    }
  });
  promise.set_value(2);  // throws future_error if it comes second
  a.join();
}
