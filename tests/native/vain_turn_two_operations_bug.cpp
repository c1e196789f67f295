// EXPECT: bug data-race 'message'
// A turn of two operations.
#include <atomic>
#include <thread>

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire, release = std::memory_order_release;

std::atomic<int> flag, other, done;
int message, seen;

void reader() {
  while (flag.load(relaxed) == 0)
    if (other.load(relaxed) == 0) seen = message;  // BUG
  done.store(1, relaxed);
}

void writer() {
  flag.store(1, relaxed);
  while (done.load(relaxed) == 0) {
  }
  message = 1;  // BUG
}

int main() {
  std::thread one(reader), two(writer);
  one.join();
  two.join();
}
