// EXPECT: verified
// The turn reads without the mutex, but locks it afterwards; the writer locks it too, and comes later. So the turn happens before the write.
#include <atomic>
#include <mutex>
#include <thread>

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire, release = std::memory_order_release;

std::mutex mutex;
std::atomic<int> flag, done;
int message, seen;

void reader() {
  while (flag.load(relaxed) == 0) {
    seen = message;
    const std::lock_guard guard(mutex);
    seen = message;
  }
  done.store(1, relaxed);
}

void writer() {
  flag.store(1, relaxed);
  while (done.load(relaxed) == 0) {
  }
  const std::lock_guard guard(mutex);
  message = 1;
}

int main() {
  std::thread one(reader), two(writer);
  one.join();
  two.join();
}
