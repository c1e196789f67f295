// EXPECT: verified 1..2
// EXPECT (O2): verified 1
// The turn reads other bytes of the same word, which is no race. Each loop is left with 1, so there is one class, without turns in vain.
#include <atomic>
#include <thread>

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire, release = std::memory_order_release;

struct alignas(8) Messages {
  int mine, yours;
};

std::atomic<int> flag, done;
Messages messages;
int seen;

void reader() {
  while (flag.load(relaxed) == 0) seen = messages.mine;
  done.store(1, relaxed);
}

void writer() {
  flag.store(1, relaxed);
  while (done.load(relaxed) == 0) {
  }
  messages.yours = 1;
}

int main() {
  std::thread one(reader), two(writer);
  one.join();
  two.join();
}
