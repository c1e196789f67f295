// EXPECT: bug data-race x
// PENDING (gcc O0): the atomic side is named by its line in the header, not in the program
#include <atomic>
#include <cstring>
#include <thread>

std::atomic<int> x;

int main() {
  std::thread a([] { x.store(1); });  // BUG
  int value;
  std::memcpy(&value, static_cast<const void*>(&x), sizeof value);  // BUG
  a.join();
}
