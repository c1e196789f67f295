// EXPECT: cannot-check not deterministic
// An atomic object that holds something else at first in each execution.
#include <atomic>
#include <thread>

std::atomic<unsigned>* x;

int main() {
  unsigned low, high;
  asm volatile("rdtsc" : "=a"(low), "=d"(high));
  x = new std::atomic<unsigned>(low);
  std::thread a([] { x->load(); });
  x->store(1);
  a.join();
}
