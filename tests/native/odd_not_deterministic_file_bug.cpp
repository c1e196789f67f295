// EXPECT: cannot-check not deterministic
// A file that an earlier execution has left behind. (Each test runs in a folder of its own.)
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x;

int main() {
  if (std::FILE* before = std::fopen("left-behind", "r")) {
    std::fclose(before);
    x = 2;
  }
  if (std::FILE* file = std::fopen("left-behind", "w")) std::fclose(file);
  std::thread a([] { x = 1; });
  a.join();
}
