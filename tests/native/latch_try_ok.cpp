// EXPECT: verified 3..4
// By hand. The latch is one counter: 2, with the RMWs m of main and a of the thread; then main loads it, in try_wait (t) and in wait (w, again until it is 0).
// a before m: m writes 0, and t and w must read m, which is po-before: 1 class.
// m before a: a writes 0. t reads a (0): then w must, too: 1 class. t reads m (1): w reads a at once: 1 class. Or w reads m in vain and then a: what it does then is the
// same, so this is the last class again, or one of its own if the look in vain is not left out (clang -O2). In all 3, or 4.
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
