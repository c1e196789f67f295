// EXPECT: bug data-race number
// The constructor is safe, the increment is not.
#include <thread>

struct Value {
  int number = 1;
  Value() { number = 2; }
};

void use() {
  static Value instance;
  ++instance.number;  // BUG
}

int main() {
  std::thread a(use), b(use);
  a.join();
  b.join();
}
