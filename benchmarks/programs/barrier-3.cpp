// EXPECT: verified 6..
// AutoMO's driver: three threads, and what they share is atomic.
//
// 6 classes at best: the order in which 3 threads arrive decides everything else.
#include <cassert>

#include "barrier.h"

SpinningBarrier barrier(3);
std::atomic<int> shared{0};

void reader() {
  barrier.wait();
  assert(shared.load(std::memory_order_relaxed) == 1);
}

int main() {
  std::thread writer([] {
    shared.store(1, std::memory_order_relaxed);
    barrier.wait();
  });
  std::thread first(reader), second(reader);
  writer.join();
  first.join();
  second.join();
}
