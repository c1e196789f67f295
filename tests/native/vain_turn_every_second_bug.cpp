// EXPECT: bug data-race 'message'
// Only every second turn reads: two turns lead back.
#include <atomic>
#include <thread>

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire, release = std::memory_order_release;

std::atomic<int> flag, done;
int message, seen;

void reader() {
  for (bool is_second = false; flag.load(relaxed) == 0; is_second = !is_second)
    if (is_second) seen = message;  // BUG
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
