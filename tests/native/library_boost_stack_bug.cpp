// EXPECT: bug data-race
// OPTIONS: --no-spurious
// Boost 1.74 reads the next pointer of a node of its free list that another thread may have taken and filled meanwhile: the
// compare-exchange fails then, but the read is a data race.
#include <boost/lockfree/stack.hpp>
#include <thread>
#include <cassert>
boost::lockfree::stack<int, boost::lockfree::capacity<4>> s;
int main() {
  std::thread a([] { s.push(1); });
  std::thread b([] { s.push(2); int v = 0; bool ok = s.pop(v); assert(ok); assert(v == 1 || v == 2); });
  a.join(); b.join();
  int v; assert(s.pop(v)); assert(!s.pop(v));
}
