// EXPECT: verified 2
// _exit(0) ends the execution, whoever waits.
#include <unistd.h>

#include <atomic>
#include <thread>

std::atomic<int> x;

int main() {
  std::thread a([] { x = 1; });
  x.load();
  _exit(0);
}
