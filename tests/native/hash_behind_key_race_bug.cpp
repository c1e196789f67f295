// EXPECT: bug data-race hash
// As hash_behind_key_ok.cpp with a plain hash, as in the original table: a race.
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kKey = 5, kHash = 77;
std::atomic<int> key;
int hash;

int main() {
  std::thread put([] {
    key.store(kKey, std::memory_order_relaxed);
    hash = kHash;  // BUG
  });
  std::thread get([] {
    if (key.load(std::memory_order_relaxed) == 0) return;
    const int known = hash;  // BUG
    assert(known == 0 || known == kHash);
  });
  put.join();
  get.join();
}
