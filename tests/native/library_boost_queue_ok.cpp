// EXPECT: verified
// Library code that nobody here wrote, from a Debian package.
#include <boost/lockfree/queue.hpp>
#include <thread>
#include <cassert>
int main() {
  boost::lockfree::queue<int, boost::lockfree::capacity<4>> q;
  std::thread a([&] { q.push(1); });
  std::thread b([&] { int v = 0; if (q.pop(v)) assert(v == 1); });
  a.join(); b.join();
}
