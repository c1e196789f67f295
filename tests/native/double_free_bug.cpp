// EXPECT: bug double-free
#include <cstdlib>
#include <thread>

int main() {
  void* block = std::malloc(10);
  std::thread a([block] { std::free(block); });  // BUG
  a.join();
  std::free(block);  // BUG
}
