// EXPECT: bug data-race sum
// PENDING: variables on the stack and thread-local ones have no names yet
#include <thread>

int main() {
  int sum = 0;
  std::thread a([&sum] { sum += 1; });  // BUG
  sum += 2;                             // BUG
  a.join();
}
