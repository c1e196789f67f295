// EXPECT: verified
// Two threads get the same exception from a shared future, at once. The last who lets go of it ends it.
#include <cassert>
#include <future>
#include <string>
#include <thread>
#include <utility>

struct Failure {
  std::string where;
};

void get(std::shared_future<int> result, std::size_t& size) {
  try {
    result.get();
  } catch (const Failure& failure) {
    size = failure.where.size();
  }
}

int main() {
  std::size_t first_size = 0, second_size = 0;
  std::promise<int> promise;
  std::shared_future<int> result = promise.get_future().share();
  std::thread first([&first_size, result] { get(result, first_size); });
  std::thread second([&second_size, result = std::move(result)] { get(result, second_size); });
  try {
    throw Failure{"a place with a long name, on the heap"};
  } catch (...) {
    promise.set_exception(std::current_exception());
  }
  first.join();
  second.join();
  assert(first_size == 37 && second_size == 37);
}
