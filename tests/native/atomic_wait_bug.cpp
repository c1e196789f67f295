// EXPECT: bug deadlock flag
// Nobody notifies: whoever blocked before the store may stay blocked.
#include <atomic>
#include <thread>

std::atomic<int> flag;

int main() {
  std::thread a([] { flag.wait(0); });  // BUG
  flag.store(1);
  a.join();  // BUG
}
