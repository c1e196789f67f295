// EXPECT: bug data-race 'message'
// The writer hears of the end of the loop from a third thread; of the three steps one is relaxed.
#include <atomic>
#include <thread>

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire, release = std::memory_order_release;

std::atomic<int> flag, done, told;
int message, seen;

void reader() {
  while (flag.load(acquire) == 0) seen = message;  // BUG
  done.store(1, release);
}

void tell() {
  flag.store(1, release);
  while (done.load(relaxed) == 0) {
  }
  told.store(1, release);
}

void writer() {
  while (told.load(acquire) == 0) {
  }
  message = 1;  // BUG
}

int main() {
  std::thread one(reader), two(tell), three(writer);
  one.join();
  two.join();
  three.join();
}
