// EXPECT: verified 26
// BLOCKED: 0
// CDSChecker's driver on the repaired deque: the owner pushes three values into an array of two, takes two, and a thief
// steals once.
//
// 26 classes by brute force (README.md); CDSChecker: 125 feasible executions.
#include <cassert>
#include <thread>

#include "chase_lev.h"

bool known(int value) { return value == 1 || value == 2 || value == 4 || value == kEmpty; }

int main() {
  ChaseLevDeque<FixedOrders> deque;
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
