// EXPECT: bug data-race
// Both get a reference to the same object, and change it.
#include <future>
#include <thread>

int main() {
  std::promise<int*> promise;
  std::shared_future<int*> future = promise.get_future().share();
  int value = 0;
  const auto change = [future] { ++*future.get(); };  // BUG
  std::thread a(change), b(change);
  promise.set_value(&value);
  a.join();
  b.join();
}
