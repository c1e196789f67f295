// EXPECT: verified
// Library code that nobody here wrote, from a Debian package.
#include <concurrentqueue/concurrentqueue.h>
#include <thread>
#include <cassert>
int main() {
  moodycamel::ConcurrentQueue<int> q;
  std::thread a([&] { q.enqueue(1); });
  int v = 0;
  if (q.try_dequeue(v)) assert(v == 1);
  a.join();
}
