// EXPECT: bug assertion
// OPTIONS: --symmetry
// SHOWS: note: no use of symmetry: threads do different things, having seen the same
// The threads look where their stacks are, and one of them does something else; the bug is there if it comes first.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

std::atomic<int> x;
std::atomic<std::uintptr_t> lowest{UINTPTR_MAX};

void run() {
  int local = 0;
  if ((reinterpret_cast<std::uintptr_t>(&local) >> 28 & 1) != 0) x.fetch_add(1);  // stacks lie so far apart (runtime/layout.h)
  else assert(x.exchange(5) == 1);  // BUG
}

int main() {
  std::thread a(run), b(run);
  a.join();
  b.join();
}
