// EXPECT: bug data-race
// Two threads get the same exception from a shared future, and both change it.
#include <future>
#include <string>
#include <thread>

struct Failure {
  std::string where;
};

void get(std::shared_future<int> result) {
  try {
    result.get();
  } catch (Failure& failure) {
    failure.where += ", seen";  // BUG
  }
}

int main() {
  std::promise<int> promise;
  const std::shared_future<int> result = promise.get_future().share();
  std::thread first(get, result), second(get, result);
  promise.set_exception(std::make_exception_ptr(Failure{"a place with a long name, on the heap"}));
  first.join();
  second.join();
}
