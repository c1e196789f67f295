// EXPECT: verified 1
// Different elements.
#include <cassert>
#include <thread>
#include <vector>

int main() {
  std::vector<int> values(4);
  std::thread a([&] { values[2] = 1; });
  values[3] = 2;
  a.join();
  assert(values[2] + values[3] == 3);
}
