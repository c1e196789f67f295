// EXPECT: verified 2
// State inside libstdc++ (locale, iostream flags) is put back: each execution sees the default.
#include <atomic>
#include <cassert>
#include <iostream>
#include <thread>

std::atomic<int> x;

int main() {
  assert(std::cout.precision() == 6);
  std::cout.precision(3);
  std::thread a([] { x.fetch_add(1); }), b([] { x.fetch_add(1); });
  a.join();
  b.join();
}
