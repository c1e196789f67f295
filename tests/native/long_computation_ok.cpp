// EXPECT: verified 2
// OPTIONS: --watchdog 5
// A second without operations in each execution is nothing to worry about.
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <thread>

std::atomic<int> x;

long milliseconds() {
  timespec time;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);  // the real one
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int main() {
  const long start = milliseconds();
  while (milliseconds() - start < 700) {
  }
  std::thread a([] { x.fetch_add(1); }), b([] { x.fetch_add(1); });
  a.join();
  b.join();
}
