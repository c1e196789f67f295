// EXPECT: bug data-race 'message'
// A loop that polls under a mutex, and reads without.
#include <atomic>
#include <mutex>
#include <thread>

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire, release = std::memory_order_release;

std::mutex mutex;
bool flag;
std::atomic<int> done;
int message, seen;

bool is_set() {
  const std::lock_guard guard(mutex);
  return flag;
}

void reader() {
  while (!is_set()) seen = message;  // BUG
  done.store(1, relaxed);
}

void writer() {
  {
    const std::lock_guard guard(mutex);
    flag = true;
  }
  while (done.load(relaxed) == 0) {
  }
  message = 1;  // BUG
}

int main() {
  std::thread one(reader), two(writer);
  one.join();
  two.join();
}
