// EXPECT: bug data-race
//
// An object with a reference count: the last owner deletes it. The decrement is relaxed, so nothing orders the other owner's last
// use before the deletion.
//
// Ordeal says: data race on the object, between its deletion and the other owner's decrement.
#include <atomic>
#include <cassert>
#include <thread>

struct Shared {
  std::atomic<int> owners = 2;
  int value = 7;
};

void release(Shared* object) {
  if (object->owners.fetch_sub(1, std::memory_order_relaxed) == 1) delete object;
}

void use(Shared* object) {
  assert(object->value == 7);
  release(object);
}

int main() {
  auto* object = new Shared;
  std::thread first(use, object);
  std::thread second(use, object);
  first.join();
  second.join();
}
