// EXPECT: verified
// Library code that nobody here wrote, from a Debian package.
#include <boost/lockfree/spsc_queue.hpp>
#include <thread>
#include <cassert>
boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> q;
int main() {
  std::thread a([] { q.push(1); q.push(2); q.push(3); });
  int v, last = 0;
  for (int i = 0; i < 3; ++i) if (q.pop(v)) { assert(v == last + 1); last = v; }
  a.join();
}
