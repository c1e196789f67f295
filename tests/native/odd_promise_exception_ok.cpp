// EXPECT: verified
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

int main() {
  std::promise<int> promise;
  std::thread a([&] {
    try {
      throw std::runtime_error("broken");
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  });
  bool caught = false;
  try {
    promise.get_future().get();
  } catch (const std::runtime_error&) {
    caught = true;
  }
  a.join();
  assert(caught);
}
