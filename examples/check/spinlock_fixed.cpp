// EXPECT: verified
//
// spinlock_bug.cpp with a release store in unlock(): it hands on all that was done inside.
//
// Ordeal says: verified. The loop in lock() needs no bound.
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
  void unlock() { taken_.store(false, std::memory_order_release); }

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
