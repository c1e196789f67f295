// The last thread to arrive starts the next step by a relaxed operation. So the three that wait for it need not see what one of the four
// wrote before the barrier. If that one is the last, all of them are in a race.
#include "../programs/barrier.h"

constexpr int kReaders = 3;

SpinningBarrier<std::memory_order_relaxed> barrier(kReaders + 1);
int shared;

int main() {
  std::thread writer([] {
    shared = 1;
    barrier.wait();
  });
  std::thread readers[kReaders];
  for (auto& reader : readers)
    reader = std::thread([] {
      barrier.wait();
      [[maybe_unused]] const int value = shared;
      asm volatile("" ::"r"(value));
    });
  for (auto& reader : readers) reader.join();
  writer.join();
}
