// EXPECT: bug no-progress thread 1
// OPTIONS: --watchdog 1
// A loop that only reads its own memory: found by the watchdog, which mostly meets the thread inside the runtime.
#include <thread>

volatile int x;

int main() {
  std::thread a([] {
    int mine = 1;
    int* volatile p = &mine;
    while (*p == 1) {  // BUG
    }  // BUG
  });
  a.join();
}
