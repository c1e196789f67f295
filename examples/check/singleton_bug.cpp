// EXPECT: bug data-race
//
// Double-checked locking: load the settings on first use, and take the mutex only until then. The second thread can see
// the pointer without the mutex, and with relaxed orders it need not see what the pointer points to.
//
// Ordeal says: data race on 'storage', between the thread that loads it and a reader.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Settings {
  int size;
};

Settings storage;
std::atomic<Settings*> instance = nullptr;  // not before the settings are loaded
std::mutex mutex;

Settings& settings() {
  Settings* found = instance.load(std::memory_order_relaxed);
  if (!found) {
    std::lock_guard hold(mutex);
    found = instance.load(std::memory_order_relaxed);
    if (!found) {
      storage.size = 7;
      found = &storage;
      instance.store(found, std::memory_order_relaxed);
    }
  }
  return *found;
}

int main() {
  std::thread first([] { assert(settings().size == 7); });
  std::thread second([] { assert(settings().size == 7); });
  first.join();
  second.join();
}
