// EXPECT: bug data-race
// The construction of an atomic object is a plain write.
#include <atomic>
#include <new>
#include <thread>

alignas(std::atomic<int>) unsigned char storage[sizeof(std::atomic<int>)];

int main() {
  std::thread a([] { reinterpret_cast<std::atomic<int>*>(storage)->store(1); });  // BUG
  new (storage) std::atomic<int>(5);  // BUG
  a.join();
}
