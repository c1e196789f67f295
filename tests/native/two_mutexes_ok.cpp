// EXPECT: verified 2
// BLOCKED: 0
// The same order in both threads: `first` decides, `second` follows.
#include <mutex>
#include <thread>

std::mutex first, second;

void both() {
  std::lock_guard<std::mutex> one(first);
  std::lock_guard<std::mutex> two(second);
}

int main() {
  std::thread a(both), b(both);
  a.join();
  b.join();
}
