// EXPECT: bug data-race x
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
