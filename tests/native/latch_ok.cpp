// EXPECT: verified
#include <cassert>
#include <latch>
#include <thread>

std::latch done(2);
int one, two;

int main() {
  std::thread a([] { one = 1; done.count_down(); });
  std::thread b([] { two = 2; done.count_down(); });
  done.wait();
  assert(one == 1 && two == 2);
  a.join();
  b.join();
}
