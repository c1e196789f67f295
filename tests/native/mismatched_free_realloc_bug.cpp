// EXPECT: bug mismatched-free memory from new[] is given to realloc()
#include <cstdlib>

int main() {
  char* volatile block = new char[8];
  std::free(std::realloc(block, 16));  // BUG
}
