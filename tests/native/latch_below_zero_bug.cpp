// EXPECT: bug lock-misuse counts down, below zero, the latch
// Two threads count down a latch for one.
#include <latch>
#include <thread>

std::latch done(1);

int main() {
  std::thread other([] { done.count_down(); });  // BUG
  done.count_down();  // BUG
  other.join();
}
