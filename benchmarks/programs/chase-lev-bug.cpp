// EXPECT: bug data-race|uninitialised-load size
// The published deque with the driver of chase-lev: the thief sees the new array, but not that it was made. It reads a size
// from memory that nobody wrote, as far as it knows.
//
// CDSChecker: 23 of 106 feasible executions.
#include <cassert>
#include <thread>

#include "chase_lev.h"

bool known(int value) { return value == 1 || value == 2 || value == 4 || value == kEmpty; }

int main() {
  ChaseLevDeque<PublishedOrders> deque;
  int a, b, c;
  std::thread thief([&] { a = deque.steal(); });
  deque.push(1);
  deque.push(2);
  deque.push(4);
  b = deque.take();
  c = deque.take();
  thief.join();
  assert(known(a) && known(b) && known(c));
  if (a != kEmpty && b != kEmpty && c != kEmpty) assert(a + b + c == 7);
}
