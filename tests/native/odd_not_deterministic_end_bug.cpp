// EXPECT: cannot-check not deterministic
// One execution has an operation more.
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

std::atomic<int> x;

int main() {
  unsigned char byte = 0;
  for (int i = 0; i < 64; ++i) {
    if (syscall(SYS_getrandom, &byte, 1, 0) != 1) return 1;
    if (byte % 8 == 0) break;
    x.store(i);
  }
}
