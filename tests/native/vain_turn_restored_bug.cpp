// EXPECT: bug data-race 'message'
// The turn writes and puts back what was there; the other thread reads it once the loop has been left.
#include <atomic>
#include <thread>

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire, release = std::memory_order_release;

std::atomic<int> flag, done;
volatile int message;
int seen;

void reader() {
  while (flag.load(relaxed) == 0) {
    message = 1;  // BUG
    message = 0;  // BUG
  }
  done.store(1, relaxed);
}

void writer() {
  flag.store(1, relaxed);
  while (done.load(relaxed) == 0) {
  }
  seen = message;  // BUG
}

int main() {
  std::thread one(reader), two(writer);
  one.join();
  two.join();
}
