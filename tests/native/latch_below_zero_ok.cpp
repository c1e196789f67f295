// EXPECT: verified 2
// Two threads count down a latch for three, one of them by two, in either order.
#include <cassert>
#include <latch>
#include <thread>

std::latch done(3);

int main() {
  std::thread other([] { done.count_down(2); });
  done.count_down();
  other.join();
  assert(done.try_wait());
}
