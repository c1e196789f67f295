// EXPECT: verified 2
// An exception crosses threads; a second value is refused; a promise that is gone says so. The argument of set_exception and main's catch clause let go
// of the exception in either order.
#include <cassert>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

int main() {
  std::promise<int> promise, other;
  std::promise<void> done;
  std::future<int> future = promise.get_future();
  std::future<void> end = done.get_future();
  promise.swap(other);
  std::thread a([&] {
    other.set_exception(std::make_exception_ptr(std::runtime_error("no")));
    done.set_value();
  });
  try {
    future.get();
    assert(false);
  } catch (const std::runtime_error& error) {
    assert(std::string(error.what()) == "no");
  }
  end.get();
  a.join();
  try {
    other.set_value(1);
    assert(false);
  } catch (const std::future_error& error) {
    assert(error.code() == std::future_errc::promise_already_satisfied);
  }
  std::future<int> broken = std::promise<int>().get_future();
  try {
    broken.get();
    assert(false);
  } catch (const std::future_error& error) {
    assert(error.code() == std::future_errc::broken_promise);
  }
}
