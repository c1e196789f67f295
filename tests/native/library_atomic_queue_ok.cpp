// EXPECT: verified
// Library code that nobody here wrote, from a Debian package.
#include <atomic_queue/atomic_queue.h>
#include <thread>
#include <cassert>
atomic_queue::AtomicQueue2<unsigned, 4> q;
int main() {
  std::thread a([] { q.push(1u); });
  unsigned v = q.pop();
  assert(v == 1);
  a.join();
}
