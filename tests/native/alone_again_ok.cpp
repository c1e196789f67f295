// EXPECT: verified 4
// main is alone before the first threads, between them and the next, and at the end; what it does then is ordered with all
// that threads do. Two increments have two orders each time: 2 · 2.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

std::unique_ptr<int> value;
std::atomic<int> count;

void run_two() {
  const auto increment = [] {
    count.fetch_add(1, std::memory_order_relaxed);
    assert(*value == 42);
  };
  std::thread first(increment), second(increment);
  first.join();
  second.join();
}

int main() {
  value = std::make_unique<int>(42);
  run_two();
  assert(*value == 42 && count.load(std::memory_order_relaxed) == 2);
  value.reset(new int(42));
  run_two();
  value.reset();
}
