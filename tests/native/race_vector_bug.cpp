// EXPECT: bug data-race
#include <thread>
#include <vector>

int main() {
  std::vector<int> values(4);
  std::thread a([&] { values[2] = 1; });  // BUG
  values[2] = 2;  // BUG
  a.join();
}
