// EXPECT: verified
#include <barrier>
#include <cassert>
#include <thread>

std::barrier meet(2);
int one, two;

int main() {
  std::thread a([] { one = 1; meet.arrive_and_wait(); assert(two == 2); });
  std::thread b([] { two = 2; meet.arrive_and_wait(); assert(one == 1); });
  a.join();
  b.join();
}
