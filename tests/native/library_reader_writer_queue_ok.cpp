// EXPECT: verified
// Library code that nobody here wrote, from a Debian package.
#include <readerwriterqueue.h>
#include <thread>
#include <cassert>
int main() {
  moodycamel::ReaderWriterQueue<int> q(2);
  std::thread a([&] { q.enqueue(1); q.enqueue(2); });
  int v = 0, last = 0;
  for (int i = 0; i < 2; ++i) if (q.try_dequeue(v)) { assert(v == last + 1); last = v; }
  a.join();
}
