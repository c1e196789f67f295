// EXPECT: verified 1..2
// EXPECT (O2): verified 1
// The same with a release and an acquire: the turn happens before the write. Each loop is left with 1, so there is one class.
#include <atomic>
#include <thread>

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire, release = std::memory_order_release;

std::atomic<int> flag, done;
int message, seen;

void reader() {
  while (flag.load(relaxed) == 0) seen = message;
  done.store(1, release);
}

void writer() {
  flag.store(1, relaxed);
  while (done.load(acquire) == 0) {
  }
  message = 1;
}

int main() {
  std::thread one(reader), two(writer);
  one.join();
  two.join();
}
