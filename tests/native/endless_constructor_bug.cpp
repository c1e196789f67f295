// EXPECT: bug no-progress main
// OPTIONS: --watchdog 1
// Before main.
#include <atomic>

std::atomic<int> ready;

struct Endless {
  Endless() {
    ready = 1;
    for (;;) asm volatile("");  // BUG
  }
} endless;

int main() { return 0; }
