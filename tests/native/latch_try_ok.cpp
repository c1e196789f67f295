// EXPECT: verified 3..4
// main's count_down is the last: try_wait must see it, and so must the wait: 1 class. Or the other's is: try_wait sees it: 1; or does not, and
// the wait, which looks before it waits, sees it at once or has to wait: 2,
// or 1 where the look in vain is left out (all but clang -O2).
#include <cassert>
#include <latch>
#include <thread>

std::latch latch(2);
int data;

int main() {
  std::thread a([] {
    data = 1;
    latch.count_down();
  });
  latch.count_down();
  std::latch own(1);
  own.arrive_and_wait();
  if (latch.try_wait()) assert(data == 1);
  latch.wait();
  assert(data == 1);
  a.join();
}
