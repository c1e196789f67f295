// EXPECT: verified 1
// Each turn changes memory and changes it back before anybody could see it: it still only waits.
#include <atomic>
#include <thread>

std::atomic<int> flag;
thread_local int depth;
int entered;

struct Guard {
  Guard() { ++depth, ++entered; }
  ~Guard() { --depth, --entered; }
};

bool is_set() {
  Guard guard;
  return flag.load(std::memory_order_acquire) == 1;
}

int main() {
  std::thread setter([] { flag.store(1, std::memory_order_release); });
  while (!is_set()) {
  }
  setter.join();
}
