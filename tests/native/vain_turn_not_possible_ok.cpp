// EXPECT: verified
// The first wait happens before the write. The second could race with it, but a thread that has seen the flag goes round no more.
#include <atomic>
#include <thread>

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire, release = std::memory_order_release;

std::atomic<int> flag, first, second;
int message, seen;

__attribute__((noinline)) void wait_for_flag() {
  while (flag.load(relaxed) == 0) seen = message;
}

void reader() {
  wait_for_flag();
  first.store(1, release);
  wait_for_flag();
  second.store(1, relaxed);
}

void writer() {
  flag.store(1, relaxed);
  while (first.load(acquire) == 0) {
  }
  while (second.load(relaxed) == 0) {
  }
  message = 1;
}

int main() {
  std::thread one(reader), two(writer);
  one.join();
  two.join();
}
