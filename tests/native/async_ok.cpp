// EXPECT: verified 1
// A thread of its own, or run when it is waited for.
#include <cassert>
#include <chrono>
#include <future>

int main() {
  int data = 0;
  std::future<int> answer = std::async(std::launch::async, [&] {
    data = 1;
    return 42;
  });
  std::future<int> later = std::async(std::launch::deferred, [] { return 43; });
  assert(later.wait_for(std::chrono::seconds(0)) == std::future_status::deferred);
  assert(answer.get() == 42 && data == 1);
  assert(later.get() == 43);
}
