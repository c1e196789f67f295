// EXPECT: verified 2
// EXPECT (clang O0): verified 2..4
// LEVELS: O0 O2
//
// Waiting loops with virtual calls: in the loop, and around it. The functions that are called were instrumented, and say so when they are called (trap H5): their turns are left out. Either thread may be the first to lock.
#include <atomic>
#include <thread>

struct Lock {
  virtual void look() = 0;
  virtual void lock() = 0;
  virtual ~Lock() = default;
};
struct SpinLock : Lock {
  std::atomic<int> held{0};
  int limit = 1;
  __attribute__((noinline)) void look() override {
    while (held.load(std::memory_order_relaxed) >= limit) {
    }
  }
  __attribute__((noinline)) void lock() override {
    while (held.exchange(1, std::memory_order_acquire) != 0) look();
  }
};

SpinLock spin;
Lock* volatile by_pointer = &spin;
int data;

int main() {
  auto work = [] {
    by_pointer->lock();
    ++data;
    spin.held.store(0, std::memory_order_release);
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
}
