// EXPECT: bug exit-code 3
// Handlers of quick_exit run, last first; those of exit do not.
#include <cassert>
#include <cstdlib>

int order;

int main() {
  std::atexit([] { assert(false); });
  std::at_quick_exit([] { assert(order == 1); });
  std::at_quick_exit([] { assert(order++ == 0); });
  std::quick_exit(3);
}
