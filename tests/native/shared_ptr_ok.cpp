// EXPECT: verified 2
// Main's copy is gone first, then one of the threads' copies is the last: the two decrements have two orders, and the increments
// were made before the threads began.
#include <cassert>
#include <memory>
#include <thread>

int destroyed;
struct Value {
  int number = 1;
  ~Value() { ++destroyed; }
};

int main() {
  auto first = std::make_shared<Value>();
  std::thread a([copy = first]() mutable { assert(copy->number == 1); copy.reset(); });
  std::thread b([copy = std::move(first)]() mutable { assert(copy->number == 1); copy.reset(); });
  a.join();
  b.join();
  assert(destroyed == 1);
}
