// EXPECT: bug assertion
// OPTIONS: --symmetry
// SHOWS: note: no use of symmetry: thread 2 is detached
// One thread is detached, one joined: only of the latter main knows that it has ended. The bug needs the other to have come first.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> counter, first_is_done;

void run() {
  if (counter.fetch_add(1) == 0) first_is_done = 1;
}

int main() {
  std::thread a(run), b(run);
  b.detach();
  a.join();
  assert(first_is_done == 1);  // BUG
}
