// EXPECT: verified 2
// Assembly that touches no memory, or only the own stack, or that nobody runs.
#include <atomic>
#include <thread>

std::atomic<int> x;
int shared;

void never() { __asm__ volatile("lock; incl %0" : "+m"(shared) : : "memory"); }

unsigned bits(unsigned value) {
  unsigned highest = 0;
  __asm__("bsrl %1, %0" : "=r"(highest) : "rm"(value));
  return highest;
}

int main(int count, char**) {
  if (count > 5) never();
  std::thread a([] { x.store(1, std::memory_order_relaxed); });
  __asm__ volatile("" : : : "memory");
  __asm__ volatile("pause");
  __asm__ volatile("rep; nop" : : : "memory");
  const unsigned seen = static_cast<unsigned>(x.load(std::memory_order_relaxed));
  a.join();
  return bits(seen + 8) != 3;
}
