// EXPECT: cannot-check set_value_at_thread_exit
// The C++ library makes it ready inside, where nothing is seen.
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::thread a([&] { promise.set_value_at_thread_exit(1); });
  a.join();
  return promise.get_future().get() - 1;
}
