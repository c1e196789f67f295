// EXPECT: bug assertion
//
// A sequence lock: the writer makes the version odd while it writes; a reader whose two looks at the version agree has seen one
// write and not parts of two. The reader here lacks a fence, so its second look may be older than the data it has read.
//
// Ordeal says: assertion 'a == b' failed, and shows which load saw an old store.
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
