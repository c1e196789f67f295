// EXPECT: verified 4
// The same function twice: its number is at the same place, and starts at 0 again. Two orders of the increments each.
#include <atomic>
#include <cassert>
#include <thread>

__attribute__((noinline)) void both() {
  std::atomic<int> number{0};
  std::thread thread([&] { ++number; });
  ++number;
  thread.join();
  assert(number == 2);
}

int main() {
  both();
  both();
}
