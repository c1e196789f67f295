// EXPECT: bug exit-code 3
#include <atomic>
#include <thread>

std::atomic<int> x;

int main() {
  std::thread a([] { x = 3; });
  const int seen = x;
  a.join();
  return seen;
}
