// EXPECT: bug deadlock|no-progress
// A promise that is never kept: its owner waits for the future first.
#include <future>
#include <stdexcept>
#include <thread>

int main() {
  std::promise<int> promise;
  std::promise<void> done;
  std::thread a([&] {
    done.get_future().wait();  // BUG
    promise.set_exception(std::make_exception_ptr(std::runtime_error("no")));
  });
  if (promise.get_future().get() == 1) done.set_value();  // BUG
  a.join();
}
