// EXPECT: verified 3..
// Sequence lock (AutoMO's driver): one thread writes, the other writes and then reads. 3 classes at best: if the second
// thread writes last, it reads its own data; if it writes first, it may also read those of the other; see seqlock.cpp.
#include <thread>

#include "seqlock.h"

Seqlock<1> seqlock;

int main() {
  std::thread a([] { seqlock.write({3}); });
  std::thread b([] {
    seqlock.write({2});
    (void)seqlock.read();
  });
  a.join();
  b.join();
}
