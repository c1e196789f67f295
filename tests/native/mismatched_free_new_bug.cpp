// EXPECT: bug mismatched-free memory from new is given to free()
#include <cstdlib>

int main() {
  int* volatile block = new int;
  std::free(block);  // BUG
}
