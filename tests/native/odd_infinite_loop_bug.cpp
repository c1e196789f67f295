// EXPECT: bug no-progress
// PENDING: while an execution is recorded the watchdog mostly meets the unwinder, where it does nothing; memory grows
// OPTIONS: --time 5
// A loop without any operation: found by the watchdog.
#include <thread>

volatile int x;

int main() {
  std::thread a([] {
    int mine = 1;
    int* volatile p = &mine;
    while (*p == 1) {
    }
  });
  a.join();
}
