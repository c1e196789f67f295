// EXPECT: bug assertion
//
// Two threads count. Every access is atomic, and yet a count is lost: both threads can load the same number before one of them
// stores. There is no data race here, the algorithm is wrong.
//
// Ordeal says: assertion 'hits == 2' failed, and shows both loads before both stores.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> hits = 0;

void hit() {
  int old = hits.load();
  hits.store(old + 1);
}

int main() {
  std::thread first(hit);
  std::thread second(hit);
  first.join();
  second.join();
  assert(hits == 2);
}
