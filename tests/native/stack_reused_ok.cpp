// EXPECT: verified 8
// Functions with atomics of different sizes, one after the other on the same stack. Two orders of the increments in each.
#include <atomic>
#include <cassert>
#include <thread>

template <class T>
__attribute__((noinline)) void both() {
  std::atomic<T> number{0};
  std::thread thread([&] { ++number; });
  ++number;
  thread.join();
  assert(number == 2);
}

int main() {
  both<int>();
  both<char>();
  both<long>();
}
