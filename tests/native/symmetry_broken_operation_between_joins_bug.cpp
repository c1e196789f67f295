// EXPECT: bug assertion
// OPTIONS: --symmetry
// SHOWS: note: no use of symmetry: main does something else before it has joined all of them
// Only the second thread can see what main stores when it has joined the first; the bug needs it to have come first.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> counter, done;

void run() {
  if (counter.fetch_add(1) == 0) assert(done == 0);  // BUG
}

int main() {
  std::thread a(run), b(run);
  a.join();
  done = 1;
  b.join();
}
