// EXPECT: verified 2..
// Sequence lock with fences (CDSSpec's version): one writer and a reader. 2 classes at best: the reader ends with the
// number 0 or 2; see seqlock.cpp.
#include <cassert>
#include <thread>

#include "seqlock.h"

using Lock = Seqlock<2, SeqlockOrder::kFences>;
Lock seqlock;

int main() {
  std::thread writer([] { seqlock.write({1, 2}); });
  std::thread reader([] {
    const Lock::Data data = seqlock.read();
    assert(data == (Lock::Data{0, 0}) || data == (Lock::Data{1, 2}));
  });
  writer.join();
  reader.join();
}
