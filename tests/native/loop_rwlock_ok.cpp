// EXPECT: verified 14..222
// EXPECT (O2): verified 14
// OPTIONS: --model rc11 --no-spurious
// LEVELS: O0 O2
// The reader-writer lock of the Linux kernel, as in benchmarks/programs/linuxrwlocks.cpp: two threads read once and write once.
//
// 222 classes, by the reference of the rules without rule Z, and by brute force. Who fails to take the lock gives back what it took, which rule Z leaves out (ADR 34). 14 without such turns: reads a1 a2 and b1 b2 (taken, given back), writes A and B, in orders in which
// no write is within the other's read: 20 orders of two times three steps, less 3 with A between b1 and b2 and 3 with B between a1 and
// a2. The reference with rule Z has 14, too. (clang -O0: 222.)
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kBias = 0x00100000;
std::atomic<int> lock{kBias};
int shared;

void read_lock() {
  while (lock.fetch_sub(1, std::memory_order_acquire) <= 0) {
    lock.fetch_add(1, std::memory_order_relaxed);
    while (lock.load(std::memory_order_relaxed) <= 0) {
    }
  }
}

void write_lock() {
  while (lock.fetch_sub(kBias, std::memory_order_acquire) != kBias) {
    lock.fetch_add(kBias, std::memory_order_relaxed);
    while (lock.load(std::memory_order_relaxed) != kBias) {
    }
  }
}

void read_then_write() {
  read_lock();
  assert(shared == 0 || shared == 1);
  lock.fetch_add(1, std::memory_order_release);
  write_lock();
  shared = 1;
  lock.fetch_add(kBias, std::memory_order_release);
}

int main() {
  std::thread a(read_then_write), b(read_then_write);
  a.join();
  b.join();
}
