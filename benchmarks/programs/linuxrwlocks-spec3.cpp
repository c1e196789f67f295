// EXPECT: verified 1..402
// CDSSpec's third test: locks and tries to lock, by writers and readers; what they protect is atomic.
//
// 402 classes by brute force (README.md). Fewer without turns that give back what they took (rule Z, ADR 34); nobody has derived how many.
#include <cassert>

#include "linuxrwlocks.h"

LinuxRwLock lock;
std::atomic<int> shared{0};

int main() {
  std::thread first([] {
    lock.write_lock();
    shared.store(17, std::memory_order_relaxed);
    lock.write_unlock();
    if (lock.read_can_lock() && lock.read_trylock()) {
      assert(shared.load(std::memory_order_relaxed) != 0);
      lock.read_unlock();
    }
  });
  std::thread second([] {
    if (lock.write_trylock()) {
      shared.store(16, std::memory_order_relaxed);
      lock.write_unlock();
    }
    lock.read_lock();
    shared.load(std::memory_order_relaxed);
    lock.read_unlock();
  });
  first.join();
  second.join();
}
