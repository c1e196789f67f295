// EXPECT: bug data-race data
// That the time is up says nothing.
#include <chrono>
#include <future>
#include <thread>

int data;

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread a([&] {
    data = 1;  // BUG
    promise.set_value(42);
  });
  using namespace std::chrono_literals;
  const bool ready = future.wait_for(1s) != std::future_status::deferred && future.wait_until(std::chrono::steady_clock::now() + 1s) != std::future_status::deferred;
  if (!ready) future.wait();
  data = 2;  // BUG
  const int seen = future.valid() ? future.get() : 0;
  a.join();
  return seen == 0;
}
