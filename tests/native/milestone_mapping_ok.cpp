// EXPECT: verified 6
// Set-up maps memory, which the threads change: each execution must have its own. x has 3 x 2 values to be read: the loads may see 0, 1
// or 2, and 1 and 2 are written in this order (2 loads: 0 0, 0 1, 0 2, 1 1, 1 2, 2 2).
#include <sys/mman.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x;

int main() {
  void* memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(memory != MAP_FAILED);
  auto* plain = static_cast<int*>(memory);
  assert(*plain == 0);
  std::thread writer([=] {
    x.store(1, std::memory_order_relaxed);
    ++*plain;
    x.store(2, std::memory_order_relaxed);
  });
  std::thread reader([] {
    (void)x.load(std::memory_order_relaxed);
    (void)x.load(std::memory_order_relaxed);
  });
  writer.join();
  reader.join();
  assert(*plain == 1);
}
