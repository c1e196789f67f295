// EXPECT: bug data-race 'message'
// A test-and-test-and-set lock: the read is in the inner loop, and the outer one goes round too.
#include <atomic>
#include <thread>

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire, release = std::memory_order_release;

std::atomic<int> locked{1}, done;
int message, seen;

void reader() {
  while (locked.exchange(1, acquire) != 0)
    while (locked.load(relaxed) != 0) seen = message;  // BUG
  done.store(1, relaxed);
}

void writer() {
  locked.store(0, release);
  while (done.load(relaxed) == 0) {
  }
  message = 1;  // BUG
}

int main() {
  std::thread one(reader), two(writer);
  one.join();
  two.join();
}
