// EXPECT: verified
//
// lost_update_bug.cpp with fetch_add: load and store are one step. Relaxed is enough for a count, because join() orders the last
// load behind all of it.
//
// Ordeal says: verified.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> hits = 0;

void hit() { hits.fetch_add(1, std::memory_order_relaxed); }

int main() {
  std::thread first(hit);
  std::thread second(hit);
  first.join();
  second.join();
  assert(hits == 2);
}
