// EXPECT: verified
//
// refcount_bug.cpp with an acquire and release decrement: each owner hands its uses on, and the last one receives them all.
//
// Ordeal says: verified.
#include <atomic>
#include <cassert>
#include <thread>

struct Shared {
  std::atomic<int> owners = 2;
  int value = 7;
};

void release(Shared* object) {
  if (object->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete object;
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
