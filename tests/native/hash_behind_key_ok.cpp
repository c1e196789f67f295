// EXPECT: verified 3
// A key and then its full hash are put into a slot of a hash table (benchmarks/programs/hashtable.h), both relaxed. Who looks for the key
// sees nothing, the key only, or both; a hash that is still 0 says nothing. A checker that does not see the accesses to the
// hash, as CDSChecker does not in its hash table, where they are plain, has two of the three.
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kKey = 5, kHash = 77;
std::atomic<int> key, hash;

int main() {
  std::thread put([] {
    key.store(kKey, std::memory_order_relaxed);
    hash.store(kHash, std::memory_order_relaxed);
  });
  std::thread get([] {
    if (key.load(std::memory_order_relaxed) == 0) return;
    const int known = hash.load(std::memory_order_relaxed);
    assert(known == 0 || known == kHash);
  });
  put.join();
  get.join();
}
