// EXPECT: bug data-race 'message
// The turn copies memory of which the other thread later writes the last byte.
#include <atomic>
#include <cstring>
#include <thread>

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire, release = std::memory_order_release;

std::atomic<int> flag, done;
char message[64];

void reader() {
  char seen[sizeof message];
  while (flag.load(relaxed) == 0) std::memcpy(seen, message, sizeof seen);  // BUG
  done.store(1, relaxed);
}

void writer() {
  flag.store(1, relaxed);
  while (done.load(relaxed) == 0) {
  }
  message[63] = 1;  // BUG
}

int main() {
  std::thread one(reader), two(writer);
  one.join();
  two.join();
}
