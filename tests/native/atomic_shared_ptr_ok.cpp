// EXPECT: verified 2
// OPTIONS: --no-spurious
// A reader takes the old or the new object; each is whole.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct Pair {
  int one, two;
};

int main() {
  std::atomic<std::shared_ptr<Pair>> current(std::make_shared<Pair>(Pair{1, 1}));
  std::thread a([&] { current.store(std::make_shared<Pair>(Pair{2, 2}), std::memory_order_release); });
  const std::shared_ptr<Pair> seen = current.load(std::memory_order_acquire);
  assert(seen->one == seen->two);
  a.join();
  std::shared_ptr<Pair> old = current.exchange(nullptr);
  assert(old->one == 2);
  std::shared_ptr<Pair> expected = old;
  assert(!current.compare_exchange_strong(expected, old) && expected == nullptr);
  assert(current.compare_exchange_weak(expected, old));
  assert(current.load() == old && !current.is_lock_free());
}
