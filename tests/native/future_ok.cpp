// EXPECT: verified 4
// main looks (wait_for nothing): ready or not. If not, wait_until looks once more: ready or not; if not, it waits until it is ready, or its time
// is up. The value is there when it is ready.
#include <cassert>
#include <chrono>
#include <future>
#include <thread>
#include <utility>

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  assert(future.valid());
  int data = 0;
  std::thread a([&] {
    data = 1;
    promise.set_value(42);
  });
  using namespace std::chrono_literals;
  if (future.wait_for(0s) == std::future_status::ready) {
    assert(data == 1);
  } else if (future.wait_until(std::chrono::steady_clock::now() + 1s) == std::future_status::ready) {
    assert(data == 1);
  }
  future.wait();
  assert(future.get() == 42 && data == 1 && !future.valid());
  a.join();
}
