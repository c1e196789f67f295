// EXPECT: verified 4
// Compiled code first loads the guard. The constructing thread is a or b; the other's load reads "not done" (then it takes the
// lock behind the constructor) or "done": 2 × 2 = 4.
#include <cassert>
#include <thread>

int constructed;
struct Value {
  int number;
  Value() : number(++constructed) {}
};

Value& value() {
  static Value instance;
  return instance;
}

int main() {
  std::thread a([] { assert(value().number == 1); });
  std::thread b([] { assert(value().number == 1); });
  a.join();
  b.join();
  assert(constructed == 1);
}
