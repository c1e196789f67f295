// EXPECT: bug data-race 'message'
// The same with two mutexes.
#include <atomic>
#include <mutex>
#include <thread>

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire, release = std::memory_order_release;

std::mutex mutex, other;
std::atomic<int> flag, done;
int message, seen;

void reader() {
  while (flag.load(relaxed) == 0) {
    const std::lock_guard guard(mutex);
    seen = message;  // BUG
  }
  done.store(1, relaxed);
}

void writer() {
  flag.store(1, relaxed);
  while (done.load(relaxed) == 0) {
  }
  const std::lock_guard guard(other);
  message = 1;  // BUG
}

int main() {
  std::thread one(reader), two(writer);
  one.join();
  two.join();
}
