// EXPECT: bug data-race
//
// A spin lock whose unlock() is a relaxed store. Only one thread at a time is inside, but what it wrote there is not handed to
// the next one.
//
// Ordeal says: data race on 'count'.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class SpinLock {
 public:
  void lock() {
    while (taken_.exchange(true, std::memory_order_acquire)) {
    }
  }
  void unlock() { taken_.store(false, std::memory_order_relaxed); }

 private:
  std::atomic<bool> taken_ = false;
};

SpinLock spin;
int count = 0;

void add() {
  std::lock_guard hold(spin);
  ++count;
}

int main() {
  std::thread first(add);
  std::thread second(add);
  first.join();
  second.join();
  assert(count == 2);
}
