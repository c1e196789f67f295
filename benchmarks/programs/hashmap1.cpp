// EXPECT: verified 6
// BLOCKED: 0
// Concurrent hash map: two threads put a key each and get the other's. Other buckets, and the map is empty at first.
// 6 classes. A get (a) finds the entry without a lock, or finds nothing and locks (b) before the put or (c) after it. With (b) the
// other thread's get comes after this thread's put, so it is (a): (b, a) and (a, b). (a) and (c) go with each other: 4 more.
// CDSChecker: 6, the same.
#include <thread>

#include "hashmap.h"

constexpr Point kOne{3, 2, 6}, kTwo{1, 1, 1};
using Map = HashMap<Point, const char*>;
static_assert(Map::slot(hash(kOne)) == 4 && Map::slot(hash(kTwo)) == 0);

Map map;

int main() {
  std::thread a([] {
    map.put(kOne, "one");
    (void)map.get(kTwo);
  });
  std::thread b([] {
    map.put(kTwo, "two");
    (void)map.get(kOne);
  });
  a.join();
  b.join();
}
