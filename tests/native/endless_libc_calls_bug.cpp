// EXPECT: bug no-progress thread 1
// OPTIONS: --watchdog 1
// The thread spends its time in libc and the kernel.
#include <unistd.h>

#include <thread>

int main() {
  std::thread a([] {
    for (;;) getppid();  // BUG
  });
  a.join();
}
