// EXPECT: bug data-race
//
// Double-checked locking: make an object on first use, and take the mutex only while there is none. The second thread can see
// the pointer without the mutex, and with relaxed orders it need not see what the pointer points to.
//
// Ordeal says: data race on the object, between its constructor and its reader.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Settings {
  int size = 7;
};

std::atomic<Settings*> instance = nullptr;
std::mutex mutex;

Settings& settings() {
  Settings* found = instance.load(std::memory_order_relaxed);
  if (!found) {
    std::lock_guard hold(mutex);
    found = instance.load(std::memory_order_relaxed);
    if (!found) {
      found = new Settings;
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
  delete instance.load();
}
