// EXPECT: bug assertion|signal
// The object may be gone when it is wanted.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
#include <utility>

int main() {
  auto one = std::make_shared<int>(1);
  std::atomic<std::weak_ptr<int>> current(one);
  std::thread a([&current] {
    const std::shared_ptr<int> now = current.load().lock();
    assert(now != nullptr);  // BUG
  });
  one.reset();
  a.join();
}
