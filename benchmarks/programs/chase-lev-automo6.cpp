// EXPECT: verified 402..480
// AutoMO's driver 6, on the repaired deque: two thieves and the owner want the only one; then there is another one.
//
// 480 classes by brute force (README.md). If the compare-exchange of a take fails, its load of the top might have read the same value, and
// the take would have gone on alike: it found nothing. Such a class may be left out, the thread stops there and the execution is blocked.
// 402 classes have none ("chase-lev-automo6, no failure"). How many are recognised depends on the compiler: registers that are used no more
// may differ.
#include <cassert>
#include <thread>

#include "chase_lev.h"

int main() {
  ChaseLevDeque<FixedOrders> deque;
  int a, b;
  deque.push(1);
  std::thread first([&] { a = deque.steal(); }), second([&] { b = deque.steal(); });
  const int c = deque.take();
  deque.push(2);
  const int d = deque.take();
  first.join();
  second.join();
  assert(all_differ({a, b, c, d}));
}
