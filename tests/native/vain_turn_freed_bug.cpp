// EXPECT: bug data-race use after free
// What the turn reads is freed once the loop has been left.
#include <atomic>
#include <thread>

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire, release = std::memory_order_release;

std::atomic<int> flag, done;
int* message = new int(0);
int seen;

void reader() {
  while (flag.load(relaxed) == 0) seen = *message;
  done.store(1, relaxed);
}

void writer() {
  flag.store(1, relaxed);
  while (done.load(relaxed) == 0) {
  }
  delete message;
}

int main() {
  std::thread one(reader), two(writer);
  one.join();
  two.join();
}
