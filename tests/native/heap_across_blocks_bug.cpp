// EXPECT: bug out-of-bounds
// The write begins in one block and ends in the next; between them is neither.
#include <cstdlib>
#include <cstring>
#include <thread>

int main() {
  char* first = static_cast<char*>(std::malloc(16));
  char* second = static_cast<char*>(std::malloc(16));
  std::thread a([=] { std::memset(first, 0, static_cast<std::size_t>(second - first) + 4); });  // BUG
  a.join();
  std::free(second);
  std::free(first);
}
