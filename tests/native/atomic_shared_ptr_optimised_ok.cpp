// EXPECT: verified
// atomic<shared_ptr> as compilers optimise it: a load that adds 0 must not become one that sees an older pointer (Clang -O2 did that).
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

std::atomic<std::shared_ptr<int>> pointer;

int main() {
  pointer = std::make_shared<int>(1);
  std::thread writer([] { pointer.store(std::make_shared<int>(2), std::memory_order_release); });
  const std::shared_ptr<int> seen = pointer.load(std::memory_order_acquire);
  assert(*seen == 1 || *seen == 2);
  writer.join();
  assert(*pointer.load() == 2);
}
