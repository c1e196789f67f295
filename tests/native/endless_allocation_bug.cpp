// EXPECT: cannot-check memory
// It would use up the machine's memory.
#include <cstdlib>

int main() {
  for (;;) *static_cast<volatile char*>(std::malloc(1000000)) = 1;
}
