// EXPECT: bug assertion x
// The output of the failing execution is in the report, that of others is not; tests/native/run_native.py sees the verdict only.
#include <atomic>
#include <cassert>
#include <iostream>
#include <thread>

std::atomic<int> x;

int main() {
  std::thread a([] { x = 1; std::cout << "stored" << std::endl; });
  const int seen = x;
  std::cout << "seen " << seen << std::endl;
  assert(x == 0 || seen == 0);  // BUG
  a.join();
}
