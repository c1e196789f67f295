// EXPECT: verified 4
// BLOCKED: 0
// Concurrent hash map: two threads put keys of one bucket, and the first gets the key of the second.
// 4 classes. If the second thread puts first, the other finds its entry behind its own. If not: it finds the entry in front of its
// own, or finds nothing and locks before the put or after it.
// CDSChecker: 4, the same.
#include <thread>

#include "hashmap.h"

constexpr Point kOld{3, 4, 5}, kOne{1, 4, 3}, kTwo{1, 1, 6};
using Map = HashMap<Point, const char*>;
static_assert(Map::slot(hash(kOld)) == 5 && Map::slot(hash(kOne)) == 5 && Map::slot(hash(kTwo)) == 5);

Map map;

int main() {
  map.put(kOld, "old");
  std::thread a([] {
    map.put(kOne, "one");
    (void)map.get(kTwo);
  });
  std::thread b([] { map.put(kTwo, "two"); });
  a.join();
  b.join();
}
