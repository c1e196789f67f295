// EXPECT: bug invalid-free
#include <cstdlib>

int main() {
  char* block = static_cast<char*>(std::malloc(10));
  std::free(block + 1);  // BUG
}
