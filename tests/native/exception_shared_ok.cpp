// EXPECT: verified
// An exception that two threads hold: the one that lets go last ends it, whoever that is. Its count orders what they do with it.
#include <atomic>
#include <cassert>
#include <exception>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

struct Failure : std::runtime_error {
  explicit Failure(const std::string& where) : std::runtime_error("failure"), where(where) {}
  std::string where;
};

std::atomic<int> progress;

int main() {
  std::promise<int> promise;
  std::future<int> result = promise.get_future();
  std::thread worker([promise = std::move(promise)]() mutable {
    const std::exception_ptr failure = std::make_exception_ptr(Failure("a place with a long name, on the heap"));
    promise.set_exception(failure);
    progress.store(1, std::memory_order_relaxed);  // the other thread may be done with it here
  });
  bool is_caught = false;
  try {
    result.get();
  } catch (const Failure& failure) {
    is_caught = failure.where == "a place with a long name, on the heap" && failure.what() == std::string("failure");
  }
  worker.join();
  assert(is_caught);
}
