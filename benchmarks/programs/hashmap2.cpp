// EXPECT: verified 3
// BLOCKED: 0
// Concurrent hash map: two threads put a key each and get the other's. Both keys are there already.
// 3 classes: a get reads the old value or the new one, but not both gets the old one, since values are stored and loaded seq_cst.
// CDSChecker: 3, the same.
#include <cassert>
#include <string_view>
#include <thread>

#include "hashmap.h"

constexpr Point kOne{3, 2, 6}, kTwo{1, 1, 1};
HashMap<Point, const char*> map;

int main() {
  map.put(kOne, "old one");
  map.put(kTwo, "old two");
  const char *one = nullptr, *two = nullptr;
  std::thread a([&] {
    map.put(kOne, "one");
    two = map.get(kTwo);
  });
  std::thread b([&] {
    map.put(kTwo, "two");
    one = map.get(kOne);
  });
  a.join();
  b.join();
  assert(one == std::string_view("one") || two == std::string_view("two"));
}
