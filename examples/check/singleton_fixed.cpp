// EXPECT: verified
//
// singleton_bug.cpp with a release store of the pointer and an acquire load. The load inside the mutex may stay relaxed. (In
// new code let the language do it: a static local variable.)
//
// Ordeal says: verified.
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
  Settings* found = instance.load(std::memory_order_acquire);
  if (!found) {
    std::lock_guard hold(mutex);
    found = instance.load(std::memory_order_relaxed);
    if (!found) {
      found = new Settings;
      instance.store(found, std::memory_order_release);
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
