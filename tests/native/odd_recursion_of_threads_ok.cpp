// EXPECT: verified 1
// Each thread starts the next and waits for it: everything is ordered.
#include <cassert>
#include <thread>

int count;

void grow(int levels) {
  ++count;
  if (levels > 0) std::thread(grow, levels - 1).join();
}

int main() {
  grow(20);
  assert(count == 21);
}
