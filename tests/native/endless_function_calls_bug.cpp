// EXPECT: bug no-progress thread 1
// OPTIONS: --watchdog 1
// Functions call functions.
#include <thread>

__attribute__((noinline)) int next(int n) {  // BUG
  asm volatile("");
  return n * 5 + 1;  // BUG
}  // BUG

int main() {
  std::thread a([] {
    for (int n = 1;; n = next(n)) asm volatile("");  // BUG
  });
  a.join();
}
