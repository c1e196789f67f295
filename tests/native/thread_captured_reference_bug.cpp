// EXPECT: bug data-race sum
#include <thread>

int main() {
  int sum = 0;
  std::thread a([&sum] { sum += 1; });  // BUG
  sum += 2;                             // BUG
  a.join();
}
