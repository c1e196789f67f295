// EXPECT: verified 3
// BLOCKED: 0
// Concurrent hash map (CDSSpec's driver): two threads put a key each and get the other's. Both keys are there already.
// 3 classes, as hashmap2.cpp.
#include <cassert>
#include <thread>

#include "hashmap.h"

HashMap<int, int> map;

int main() {
  map.put(1, 1);
  map.put(3, 1);
  int one = 0, two = 0;
  std::thread a([&] {
    map.put(1, 10);
    two = map.get(3);
  });
  std::thread b([&] {
    map.put(3, 30);
    one = map.get(1);
  });
  a.join();
  b.join();
  assert(one == 10 || two == 30);
}
