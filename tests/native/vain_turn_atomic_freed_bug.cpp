// EXPECT: bug data-race use after free
// The turn loads an atomic object that the other thread frees once the loop has been left by another.
#include <atomic>
#include <cstdlib>
#include <thread>

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire, release = std::memory_order_release;

std::atomic<int> flag, done;
auto* other = new std::atomic<int>(0);

void reader() {
  while (flag.load(relaxed) == 0)
    if (other->load(relaxed) != 0) std::abort();
  done.store(1, relaxed);
}

void writer() {
  flag.store(1, relaxed);
  while (done.load(relaxed) == 0) {
  }
  delete other;
}

int main() {
  std::thread one(reader), two(writer);
  one.join();
  two.join();
}
