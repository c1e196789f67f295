// EXPECT: verified
//
// seqlock_bug.cpp with an acquire fence between the data and the second look at the version. If x or y come from a write, the fence
// and the writer's release fence make the odd version visible to the second look.
//
// Ordeal says: verified.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<unsigned> version = 0;
std::atomic<int> x = 0, y = 0;  // together: a point on the diagonal

void write(int value) {
  unsigned now = version.load(std::memory_order_relaxed);
  version.store(now + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  x.store(value, std::memory_order_relaxed);
  y.store(value, std::memory_order_relaxed);
  version.store(now + 2, std::memory_order_release);
}

bool read(int& a, int& b) {
  unsigned before = version.load(std::memory_order_acquire);
  a = x.load(std::memory_order_relaxed);
  b = y.load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);
  return before % 2 == 0 && version.load(std::memory_order_relaxed) == before;
}

int main() {
  std::thread writer([] {
    write(1);
    write(2);
  });
  int a, b;
  if (read(a, b)) assert(a == b);
  writer.join();
}
