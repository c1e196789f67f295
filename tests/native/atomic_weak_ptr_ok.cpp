// EXPECT: verified 2
// The reader comes before or behind the writer; what it sees lives as long as it holds it.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

int main() {
  const auto one = std::make_shared<int>(1);
  std::atomic<std::weak_ptr<int>> current;
  std::thread a([&] { current.store(one); });
  if (const std::shared_ptr<int> now = current.load().lock()) assert(*now == 1);
  a.join();
  assert(current.load().lock() == one);
  std::weak_ptr<int> old = current.exchange(std::weak_ptr<int>());
  std::weak_ptr<int> expected;
  assert(current.compare_exchange_strong(expected, old));
}
