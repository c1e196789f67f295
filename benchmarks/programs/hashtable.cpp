// EXPECT: verified 100
// BLOCKED: 0
// Lock-free hash table: two threads put a key each and get the other's.
// 100 classes. The keys have slots of their own, so the puts meet only at the two counters: 2 · 2 orders. A get reads key, value and,
// if it sees the key, the hash: no key, with or without the value; the key without the value, with or without the hash; or all
// of it (the value is acquired, and the hash was stored before): 5 · 5. Nothing of this excludes anything else.
// CDSChecker: 64 = 2 · 2 · 4 · 4, since it does not see the accesses to the hashes (README.md). They are relaxed here; plain ones would be a race.
// So would be the objects that wrap keys in the original, which are made by put() and published by a relaxed compare-exchange: here
// the keys are made before the threads start. A table that grows is left out; no driver fills it.
#include "hashtable.h"

#include <thread>

struct Number {
  int value;
  unsigned hash_code() const { return value; }
  bool operator==(const Number&) const = default;
};

HashTable<Number, Number, 32> table;
constexpr Number kKey2{5}, kKey3{11}, kValue2{47}, kValue3{73};

int main() {
  std::thread a([] {
    table.put(&kKey3, &kValue3);
    (void)table.get(Number{5});
  });
  std::thread b([] {
    table.put(&kKey2, &kValue2);
    (void)table.get(Number{11});
  });
  a.join();
  b.join();
}
