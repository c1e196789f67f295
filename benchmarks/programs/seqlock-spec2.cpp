// EXPECT: verified 6..
// Sequence lock with fences (CDSSpec's version): two writers and a reader. 6 classes at best, as seqlock.cpp: two
// orders of the writers, and the reader ends with the number 0, 2 or 4.
#include <cassert>
#include <thread>

#include "seqlock.h"

using Lock = Seqlock<2, SeqlockOrder::kFences>;
Lock seqlock;

int main() {
  std::thread a([] { seqlock.write({1, 2}); });
  std::thread b([] { seqlock.write({3, 4}); });
  std::thread reader([] {
    const Lock::Data data = seqlock.read();
    assert(data == (Lock::Data{0, 0}) || data == (Lock::Data{1, 2}) || data == (Lock::Data{3, 4}));
  });
  a.join();
  b.join();
  reader.join();
}
