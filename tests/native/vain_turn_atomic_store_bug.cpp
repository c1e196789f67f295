// EXPECT: bug data-race 'message'
// What the turn reads plainly is stored atomically once the loop has been left.
#include <atomic>
#include <thread>

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire, release = std::memory_order_release;

std::atomic<int> flag, done;
int message, seen;

void reader() {
  while (flag.load(relaxed) == 0) seen = message;  // BUG
  done.store(1, relaxed);
}

void writer() {
  flag.store(1, relaxed);
  while (done.load(relaxed) == 0) {
  }
  std::atomic_ref<int>(message).store(1, relaxed);  // BUG
}

int main() {
  std::thread one(reader), two(writer);
  one.join();
  two.join();
}
