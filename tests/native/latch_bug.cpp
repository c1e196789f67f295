// EXPECT: bug deadlock|no-progress
// For three, but two come.
#include <latch>
#include <thread>

std::latch latch(3);

int main() {
  std::thread a([] { latch.count_down(); });
  if (latch.try_wait()) return 1;
  latch.arrive_and_wait();  // BUG
  latch.wait();
  a.join();  // BUG
}
