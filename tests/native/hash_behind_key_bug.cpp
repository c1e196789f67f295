// EXPECT: bug assertion hash
// As hash_behind_key_ok.cpp, but who has seen the key relies on the hash.
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
    if (key.load(std::memory_order_relaxed) == kKey) assert(hash.load(std::memory_order_relaxed) == kHash);  // BUG
  });
  put.join();
  get.join();
}
