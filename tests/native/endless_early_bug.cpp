// EXPECT: bug assertion x
// The first thread never ends, and no turn of its loop is for nothing. The bug comes after three of them.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<unsigned> x;

int main() {
  std::thread a([] {
    for (;;) x.fetch_add(1);
  });
  std::thread b([] { assert(x.load() != 3); });  // BUG
  a.join();
  b.join();
}
