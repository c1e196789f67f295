// EXPECT: verified 2
#include <atomic>
#include <cassert>
#include <csetjmp>
#include <thread>

std::atomic<int> x;

void jump() {
  std::jmp_buf target;
  volatile int times = 0;
  if (setjmp(target) < 3) {
    times = times + 1;
    std::longjmp(target, times);
  }
  assert(times == 3);
  x.fetch_add(1);
}

int main() {
  std::thread a(jump), b(jump);
  a.join();
  b.join();
}
