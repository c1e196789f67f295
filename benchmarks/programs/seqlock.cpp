// EXPECT: verified 6..
// Sequence lock: two writers and a reader. 6 classes at best. The writers come in two orders, and then everything they
// read is forced: a compare-exchange succeeds only on the number that was loaded just before. The reader ends with the
// number 0, 2 or 4; the data then are those of the last writer up to there: older ones are hidden by the number, and
// newer ones bring an odd number with them. Turns that end in a retry only wait. Turns that are not recognised add
// some. CDSChecker: 9,125 feasible of 35,118; it enumerates the turns up to a bound.
#include "seqlock.h"

#include <thread>

Seqlock<1> seqlock;

int main() {
  std::thread a([] { seqlock.write({3}); });
  std::thread b([] { seqlock.write({2}); });
  std::thread reader([] { (void)seqlock.read(); });
  a.join();
  b.join();
  reader.join();
}
