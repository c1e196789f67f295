// EXPECT: verified 2
// By hand. Each thread waits for the flag, which is set once: looks in vain are left out, so one way. The only other atomic object is the count of the state's owners: each thread gives up its copy
// with one RMW at its end: 2 orders. main's come behind both joins.
#include <cassert>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::shared_future<int> future = promise.get_future().share();
  std::thread a([future] { assert(future.get() == 1); });
  std::thread b([future] {
    future.wait();
    assert(future.valid() && future.get() == 1);
  });
  promise.set_value(1);
  a.join();
  b.join();
}
