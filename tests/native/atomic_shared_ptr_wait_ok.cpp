// EXPECT: verified 1..4
// The wait ends when another pointer is there, and acquires. Rounds in vain may be classes.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

int main() {
  std::atomic<std::shared_ptr<int>> current;
  std::thread a([&] {
    current.store(std::make_shared<int>(1));
    current.notify_one();
    current.notify_all();
  });
  current.wait(nullptr);
  assert(*current.load() == 1);
  a.join();
}
