// EXPECT: verified 6
// BLOCKED: 0
// Concurrent hash map (CDSSpec's driver): two threads put a key each and get the other's. The map is empty at first.
// 6 classes, as hashmap1.cpp.
#include <thread>

#include "hashmap.h"

HashMap<int, int> map;

int main() {
  std::thread a([] {
    map.put(1, 10);
    (void)map.get(3);
  });
  std::thread b([] {
    map.put(3, 30);
    (void)map.get(1);
  });
  a.join();
  b.join();
}
