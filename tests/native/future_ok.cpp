// EXPECT: verified 4
// By hand. The state is one flag that the thread sets: s. main loads it in wait_for (f), in wait_until (u), which then waits or is out of time (a choice), and in wait and get.
// f reads s: all later loads must: 1 class. f does not, u reads s: 1. Neither does, and it waits until it reads s: 1; or its time is up, and wait reads s: 1. (A look
// in vain before a wait is left out, as in latch_try_ok; behind the choice it is not one.) The value is there when s is read. The counts of the state change in main only.
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
