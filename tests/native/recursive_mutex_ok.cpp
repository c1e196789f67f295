// EXPECT: verified 2
// BLOCKED: 0
// The inner locks of the holder are no choice: two sections in two orders.
#include <cassert>
#include <mutex>
#include <thread>

std::recursive_mutex guard;
int depth, counter;

void nest(int levels) {
  std::lock_guard<std::recursive_mutex> lock(guard);
  ++depth;
  if (levels > 1) nest(levels - 1);
  else ++counter;
  --depth;
}

int main() {
  std::thread a(nest, 3), b(nest, 2);
  a.join();
  b.join();
  assert(depth == 0 && counter == 2);
}
