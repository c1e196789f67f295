// EXPECT: verified 2
// Two threads wait for one value. They give up their copies of the future, which are counted, in one order or the other.
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
